"""What is sent: paths that lead out, requests that are none, TOML that is deep or huge."""

PLACES = (
    "/static/../../../room/access.sqlite3",
    "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/static/..%2f..%2fapp.py",
    "/static/..%5c..%5capp.py",
    "/static//etc/passwd",
    "/static/%00",
    "/parts/../app.py",
    "/parts/card/card.html",
    "/parts/%2e%2e/auth.py",
    "/slides/..%2faccess.sqlite3",
    "/slides/%2e%2e%2faccess.sqlite3",
    "/fonts/..%2f..%2fsettings.ttf",
    "/cards/..%2f..%2fKs.svg",
    "/tables/..%2f..%2f/vision",
)

ODD = {
    "another host": b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "no host, of old": b"GET /api/v1/room HTTP/1.0\r\n\r\n",
    "an address as a path": b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "a host with a user": b"GET / HTTP/1.1\r\nHost: 127.0.0.1@evil.example\r\n\r\n",
    "two lengths": b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nabcd",
    "length and chunks": (
        b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    ),
    "a length below nothing": b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    "a line in a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\n b: c\x00\r\n\r\n",
    "a long header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + b"a" * 200_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"x: y\r\n" * 20_000 + b"\r\n",
    "a tunnel": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
}

TOMLS = {
    "dotted keys": ".".join("a" * 49_000) + " = 1",
    "many dotted keys": "\n".join(f"{'.'.join('a' * 400)}.b{number} = 1" for number in range(110)),
    "nested lists": "a = " + "[" * 40_000 + "]" * 40_000,
    "nested tables": "a = " + "{a=" * 30_000,
    "a long number": "a = " + "9" * 90_000,
    "a day that is none": "a = 9999-12-31T23:59:59.999999+23:59",
    "not closed": 'a = """' + "x" * 90_000,
}
