"""A device's line to an MQTT 5 broker, and what the server's end shares with it.

What travels is what travels by HTTP: the same messages, the same replies, the same (device, sequence). The broker takes
a message for the server; only the server's reply says that it was counted.
"""

import itertools
import json
import queue
import ssl
import sys
import threading
import time
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from pitboss.tabulator.devices.broker import Broker, parse_broker, user_of
from pitboss.tabulator.devices.client import LineCutError, NotAllowedError

TOKEN = "token"  # noqa: S105 - the name of a property
KEEPALIVE_SECONDS, SESSION_SECONDS, REPLY_SECONDS = 10, 72 * 60 * 60, 60
"""A session waits for a device as long as its messages count (G-76); a reply only as long as somebody waits for it."""
PACKET_BYTES_MAX = 1_000_000
_RECONNECT_SECONDS = (1, 15)
_BAD_LOGIN = ("Not authorized", "Bad user name or password", "Banned", "Bad authentication method")


class _BrokerSocket(ssl.SSLSocket):
    """A connection that is closed where its handshake fails: Paho would leave it to the garbage collection."""

    def do_handshake(self, block: bool = False) -> None:
        """Shake hands, or close."""
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def make_client(broker: Broker, user: str, password: str, *, manual_ack: bool = False) -> paho.Client:
    """Make a client of a broker: by TLS where the address says so, and one that connects again by itself."""
    client = paho.Client(
        CallbackAPIVersion.VERSION2,
        client_id=user,
        protocol=paho.MQTTv5,
        manual_ack=manual_ack,
        reconnect_on_failure=True,
    )
    client.username_pw_set(user, password)
    client.reconnect_delay_set(*_RECONNECT_SECONDS)
    if broker.is_secure:
        context = ssl.create_default_context()
        context.sslsocket_class = _BrokerSocket
        client.tls_set_context(context)
    return client


def connect(client: paho.Client, broker: Broker, *, at_once_max: int) -> None:
    """Start to connect, to a session that outlives the connection; the client's thread goes on trying."""
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = SESSION_SECONDS
    properties.ReceiveMaximum = at_once_max
    properties.MaximumPacketSize = PACKET_BYTES_MAX
    client.connect_async(
        broker.host, broker.port, keepalive=KEEPALIVE_SECONDS, clean_start=False, properties=properties
    )
    client.loop_start()


def distrust() -> str:
    """Return, in a callback of a connection that fails, why the broker's certificate is not trusted; else nothing."""
    error = sys.exception()
    if not isinstance(error, ssl.SSLCertVerificationError):
        return ""
    why = error.verify_message.rstrip(".")
    return f"its certificate is not to be trusted: {why}; SSL_CERT_FILE can name the authority that made it"


def is_bad_login(reason: Any) -> bool:
    """True if a broker refuses who signs in, and trying again is no use."""
    return str(reason) in _BAD_LOGIN


def with_token(packet: int, token: str) -> Properties:
    """Return properties of a packet that state whose it is."""
    properties = Properties(packet)  # type: ignore[no-untyped-call]
    properties.UserProperty = [(TOKEN, token)]
    return properties


class MqttLine:
    """A device's line to a broker: it signs in as the device, by its token, and leaves its last will there.

    What is published again after a connection was lost may arrive twice: the server answers it as the first time.
    """

    def __init__(self, url: str, device: str, token: str, *, timeout: float = 10) -> None:
        self.broker = parse_broker(url)
        self._token, self._timeout = token, timeout
        self._messages = self.broker.topic(device, "messages")
        self._replies = self.broker.topic(device, "replies")
        self._numbers = itertools.count(time.time_ns())
        self._waiting: dict[bytes, queue.Queue[dict[str, Any]]] = {}
        self._ready = threading.Event()
        self._refusal = ""
        self._client = make_client(self.broker, user_of(device), token)
        will = with_token(PacketTypes.WILLMESSAGE, token)
        self._client.will_set(self.broker.topic(device, "lost"), b"{}", qos=1, properties=will)
        self._client.on_connect = self._connected
        self._client.on_subscribe = self._subscribed
        self._client.on_disconnect = self._disconnected
        self._client.on_connect_fail = self._failed
        self._client.on_message = self._received
        connect(self._client, self.broker, at_once_max=100)

    def close(self) -> None:
        """Sign out: the broker does not publish the last will of who says goodbye."""
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: paho.Client, _data: object, _flags: object, reason: Any, _props: object) -> None:
        if reason.is_failure:
            self._refuse(f"it says {reason}: this token does not speak there" if is_bad_login(reason) else "")
        else:
            self._refusal = ""
            client.subscribe(self._replies, qos=1)

    def _subscribed(self, _client: object, _data: object, _mid: int, reasons: list[Any], _props: object) -> None:
        texts = (f"it says {reason}: this token does not speak there" for reason in reasons if reason.is_failure)
        self._refusal = next(texts, "")
        self._ready.set()

    def _failed(self, *_: object) -> None:
        self._refuse(distrust())

    def _refuse(self, why: str) -> None:
        """Set why trying again is no use, which the sender is told; without a reason the sender waits."""
        self._refusal = why
        self._ready.set() if why else self._ready.clear()

    def _disconnected(self, *_: object) -> None:
        if not self._refusal:
            self._ready.clear()

    def _received(self, _client: object, _data: object, message: paho.MQTTMessage) -> None:
        number = getattr(message.properties, "CorrelationData", None)
        waiting = self._waiting.get(number) if isinstance(number, bytes) else None
        if waiting is not None:
            try:
                reply = json.loads(message.payload)
            except ValueError:
                return
            waiting.put(reply)

    def send(self, message: bytes) -> dict[str, Any]:
        """Publish a message and wait for its reply."""
        if not self._ready.wait(self._timeout):
            raise LineCutError(f"{self.broker.address}: not connected")
        if self._refusal:
            raise NotAllowedError(f"{self.broker.address}: {self._refusal}")
        number = str(next(self._numbers)).encode()
        waiting = self._waiting[number] = queue.Queue(1)
        properties = with_token(PacketTypes.PUBLISH, self._token)
        properties.CorrelationData = number
        try:
            self._client.publish(self._messages, message, qos=1, properties=properties)
            reply = waiting.get(timeout=self._timeout)
        except (queue.Empty, ValueError, OSError) as error:
            raise LineCutError(f"{self.broker.address}: {error!r}") from None
        finally:
            del self._waiting[number]
        if reply.get("status") == "stranger":
            raise NotAllowedError(f"{self.broker.address}: {'; '.join(reply.get('problems', ()))}")
        return reply
