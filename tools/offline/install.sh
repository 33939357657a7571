#!/bin/sh
# Installs Pitboss @VERSION@ from this folder, without a network: sh install.sh [--key PUBLIC.pem] [--verify | --uninstall]
#
# What it does, each step once however often it is run: verifies hashes and signature; makes the user `pitboss`; puts the
# version into /opt/pitboss/@VERSION@; puts the unit and the command in place. The first version is used at once. A later one
# lies beside the one in use until `/opt/pitboss/@VERSION@/bin/pitboss upgrade /var/lib/pitboss/room`.
# --verify looks at hashes and signature alone, and needs no root. Uninstalling keeps /var/lib/pitboss (the books),
# /etc/default/pitboss and the user.
set -eu
umask 022

VERSION="@VERSION@" TAG="@TAG@" PYTHON="@PYTHON@"
PREFIX=/opt/pitboss DATA=/var/lib/pitboss SETTINGS=/etc/default/pitboss SERVICE=pitboss.service
UNITS=/usr/local/lib/systemd/system COMMAND=/usr/local/bin/pitboss
FROM_PACKAGE=no VERIFY=no UNINSTALL=no KEY=""
HERE=$(cd "$(dirname "$0")" && pwd)

fail() { echo "install.sh: $*" >&2; exit 1; }
systemd_runs() { [ -d /run/systemd/system ]; }

while [ $# -gt 0 ]; do
    case "$1" in
        --key) [ $# -gt 1 ] || fail "--key names the file of the public key"; KEY=$2; shift ;;
        --from-package) FROM_PACKAGE=yes COMMAND=/usr/bin/pitboss UNITS=/lib/systemd/system ;;
        --verify) VERIFY=yes ;;
        --uninstall) UNINSTALL=yes ;;
        *) fail "$1 is no option; there are --key FILE, --verify and --uninstall" ;;
    esac
    shift
done
uninstall() {
    if systemd_runs; then systemctl disable --now "$SERVICE" 2>/dev/null || true; fi
    if [ -L "$COMMAND" ]; then rm -f "$COMMAND"; fi
    rm -f "/etc/systemd/system/multi-user.target.wants/$SERVICE"
    if [ "$FROM_PACKAGE" = no ]; then rm -f "$UNITS/$SERVICE"; fi
    rm -rf "$PREFIX"
    if systemd_runs; then systemctl daemon-reload; fi
    echo "Pitboss is uninstalled. The books are kept in $DATA."
}

# The hash of the list of hashes stands in the manifest, and the manifest is signed.
verify() {
    cd "$HERE"
    sha256sum --check --strict --quiet SHA256SUMS || fail "these files are not those of the release: nothing was installed"
    listed=$(sha256sum SHA256SUMS | cut -d' ' -f1)
    grep -q "\"SHA256SUMS\": \"$listed\"" manifest.json || fail "SHA256SUMS is not the list of manifest.json: nothing was installed"
    [ "$(ls wheels | wc -l)" = "$(grep -c '  wheels/' SHA256SUMS)" ] || fail "there are wheels that are not of the release: nothing was installed"
    if [ -z "$KEY" ]; then
        KEY="$HERE/signing.pub"
        echo "The key beside the files has the hash $(sha256sum signing.pub | cut -d' ' -f1)."
        echo "Compare it with the one on paper; or name your own copy with --key."
    fi
    [ -f "$KEY" ] || fail "there is no key $KEY"
    if command -v openssl >/dev/null; then
        openssl pkeyutl -verify -pubin -inkey "$KEY" -rawin -in manifest.json -sigfile manifest.sig >/dev/null ||
            fail "the manifest is not signed by $KEY: nothing was installed"
        SIGNED=yes
    fi
}

# Where there is no openssl: by what was just installed, before it is used.
verify_by_python() {
    "$1/bin/python" - "$KEY" "$HERE" <<'END' || { rm -rf "$1"; fail "the manifest is not signed by $KEY: nothing was installed"; }
import pathlib, sys
from cryptography.hazmat.primitives.serialization import load_pem_public_key
key, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
load_pem_public_key(key.read_bytes()).verify((folder / "manifest.sig").read_bytes(), (folder / "manifest.json").read_bytes())
END
}

find_python() {
    for name in "python$PYTHON" python3; do
        if command -v "$name" >/dev/null && [ "$("$name" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')" = "$TAG" ]; then
            command -v "$name"
            return
        fi
    done
    fail "this release is for Python $PYTHON ($TAG), which is not here: apt-get install python3, or take the release for yours"
}

make_user() {
    getent group pitboss >/dev/null || groupadd --system pitboss
    getent passwd pitboss >/dev/null ||
        useradd --system --gid pitboss --home-dir "$DATA" --no-create-home --shell /usr/sbin/nologin pitboss
    install -d -m 700 -o pitboss -g pitboss "$DATA"
}

make_environment() {
    target="$PREFIX/$VERSION" fresh=$(sha256sum "$HERE/manifest.json" | cut -d' ' -f1)
    if [ "$(cat "$target/.complete" 2>/dev/null)" = "$fresh" ]; then
        echo "Version $VERSION is in $target already."
        return
    fi
    python=$(find_python)
    install -d -m 755 "$PREFIX"
    rm -rf "$target"
    "$python" -m venv --without-pip "$target"
    PYTHONPATH=$(echo "$HERE"/wheels/pip-*.whl) "$target/bin/python" -m pip --isolated install --quiet --no-index --no-compile \
        --no-cache-dir --disable-pip-version-check --root-user-action=ignore --find-links "$HERE/wheels" \
        --require-hashes --no-deps --requirement "$HERE/requirements.txt"
    # The service may not write there, so it is compiled now.
    "$target/bin/python" -m compileall -q -j 0 "$target/lib" || true
    if [ "${SIGNED:-no}" = no ]; then verify_by_python "$target"; fi
    "$target/bin/pitboss" verify-install >/dev/null || fail "the installed files are not those of the build"
    echo "$fresh" > "$target/.complete"
}

put_in_place() {
    if [ "$FROM_PACKAGE" = no ]; then install -D -m 644 "$HERE/pitboss.service" "$UNITS/$SERVICE"; fi
    install -d -m 755 "$(dirname "$COMMAND")"
    ln -sfn "$PREFIX/current/bin/pitboss" "$COMMAND"
    if [ ! -e "$SETTINGS" ]; then
        install -d -m 755 "$(dirname "$SETTINGS")"
        echo 'PITBOSS_PORT=8000' > "$SETTINGS"
        chmod 644 "$SETTINGS"
    fi
    if [ ! -e "$PREFIX/current" ]; then ln -s "$VERSION" "$PREFIX/current"; fi
    install -d -m 755 /etc/systemd/system/multi-user.target.wants
    ln -sfn "$UNITS/$SERVICE" "/etc/systemd/system/multi-user.target.wants/$SERVICE"
    if systemd_runs; then systemctl daemon-reload; fi
}

say() {
    used=$(readlink "$PREFIX/current")
    if [ "$used" != "$VERSION" ]; then
        echo "Version $VERSION lies beside $used, which is in use. What it would change: $PREFIX/$VERSION/bin/pitboss upgrade $DATA/room --check"
    else
        echo "Pitboss $VERSION is installed. Set $SETTINGS, then: systemctl start pitboss; journalctl -u pitboss"
    fi
}

if [ "$VERIFY" = yes ]; then
    verify
    [ "${SIGNED:-no}" = yes ] || fail "the hashes are right; without openssl nobody can say who signed them"
    echo "These are the files of Pitboss $VERSION, signed by $KEY."
    exit 0
fi
[ "$(id -u)" = 0 ] || fail "run it as root (without root: python3 -m venv, see docs/operations.md)"
if [ "$UNINSTALL" = yes ]; then
    uninstall
    exit 0
fi
verify
make_user
make_environment
put_in_place
say
