"""Devices by a real MQTT broker: each press counted once, whoever is killed; nobody speaks for another (M-10, T-09)."""

from __future__ import annotations

import gc
import json
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.alarms import TROUBLES
from pitboss.room.room import Room
from pitboss.server.mqtt import Bridge, bridged
from pitboss.server.settings import Listening, listening_problems
from pitboss.tabulator import TABLES, ChangeDealer, TableRecord
from pitboss.tabulator.devices.broker import parse_broker
from pitboss.tabulator.devices.client import (
    DeviceBuffer,
    DeviceClient,
    FaultyLine,
    Felt,
    LineCutError,
    LineFaults,
    NotAllowedError,
    play,
)
from pitboss.tabulator.devices.mqtt import TOKEN, MqttLine, with_token
from tests.cli.running import run
from tests.operations.making import certify
from tests.server.brokers import SERVER_PASSWORD, Broker, broker
from tests.server.making import SECOND, House, command
from tests.server.running import running, self_signed
from tests.server.test_api import DEVICE, Evening

pytestmark = pytest.mark.xdist_group("mqtt")
FAULTS = LineFaults(duplicate=0.2, lost_request=0.1, lost_reply=0.1, reorder=0.1)
OTHER = "A3-0099"


def wait_for(true: Callable[[], object], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


class Floor:
    """A room with an open table, a broker, the bridge between them, and lines of devices."""

    def __init__(self, house: House, folder: Path, **options: Any) -> None:
        self.house, self.evening, self.stack = house, Evening(house), ExitStack()
        house.add_device(OTHER, "device", "5")
        sue = By("A-supervisor", "supervisor")
        house.room.do(ChangeDealer(table="4", dealer="A-dealer"), sue, id=command())
        self.tokens = {DEVICE: self.evening.device.headers["authorization"].removeprefix("Bearer ")}
        self.tokens[OTHER] = house.access.make_token(OTHER, SYSTEM_ACTOR)
        self.broker: Broker = self.stack.enter_context(broker(folder / "broker", self.tokens, **options))

    def bridge(self) -> Bridge:
        made = Bridge(self.house.room, parse_broker(self.broker.of_server), SERVER_PASSWORD)
        made.start()
        if self.broker.process is not None and self.broker.process.poll() is None:
            # What is published before the server has ever subscribed is nobody's.
            assert made.subscribed.wait(20)
        return made

    def line(self, device: str = DEVICE, timeout: float = 20, token: str | None = None) -> MqttLine:
        made = MqttLine(self.broker.address, device, token or self.tokens[device], timeout=timeout)
        self.stack.callback(made.close)
        return made

    def message(self, type_: str = "press", **fields: Any) -> bytes:
        self.house.clock.add(2 * SECOND)
        now = self.house.clock.now
        usual = {"type": type_, "device": DEVICE, "table": "4", "sent": now}
        if type_ == "press":
            usual |= {"at": now, "sensors": [[1, 1]]}
        return json.dumps(usual | fields).encode()

    @property
    def counted(self) -> tuple[int, int]:
        four = self.house.room.state.of(TABLES).tables["4"]
        return four.rounds_counted, four.wagers_counted

    def troubles(self) -> list[str]:
        alarms = self.house.room.state.parts.get(TROUBLES, ())
        return [alarm.words for alarm in alarms]


@contextmanager
def floor(house: House, folder: Path, **options: Any) -> Iterator[Floor]:
    made = Floor(house, folder, **options)
    with made.stack:
        yield made


def sent_until_heard(line: MqttLine, message: bytes) -> dict[str, Any]:
    """Send again what was published before the server has subscribed, as a device does."""
    for _ in range(20):
        with suppress(LineCutError):
            return line.send(message)
    raise AssertionError("nobody answers")


def vanish(line: MqttLine) -> None:
    """Unplug a device: nothing is said."""
    peer = line._client.socket()
    line._client.loop_stop()
    assert peer is not None
    peer.close()


def test_a_server_that_stands_by_leaves_the_broker_to_the_leader(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leads = [True]
    monkeypatch.setattr(Room, "is_leader", property(lambda _: bool(leads)))
    with (
        floor(house, tmp_path) as at,
        bridged(house.room, parse_broker(at.broker.of_server), at.broker.folder / "password"),
    ):

        def table() -> TableRecord:
            return house.room.state.of(TABLES).tables["4"]

        assert sent_until_heard(at.line(timeout=1), at.message(sequence=1))["status"] == "counted"
        leads.clear()
        wait_for(lambda: not [each for each in threading.enumerate() if each.name.startswith("mqtt-")])
        with pytest.raises(LineCutError):
            at.line(timeout=1).send(at.message(sequence=2, sensors=[]))
        assert table().phase == "tabulated"
        leads.append(True)
        wait_for(lambda: table().phase != "tabulated")


def test_m_10_every_press_by_a_broker_that_is_killed_in_the_middle_is_counted_once(
    house: House, tmp_path: Path
) -> None:
    with (
        floor(house, tmp_path) as at,
        bridged(house.room, parse_broker(at.broker.of_server), at.broker.folder / "password"),
    ):
        rng = random.Random(4)
        killed: list[int] = []
        line = FaultyLine(at.line(timeout=1), FAULTS, rng)

        def pause(seconds: float) -> None:
            house.clock.add(int(seconds * SECOND))
            if len(killed) < 2 and at.counted[0] == 1 + len(killed):
                # With the message under way: what it has not written to its disk it forgets.
                killed.append(1)
                at.broker.end(signal.SIGKILL)
                at.broker.start()

        with DeviceBuffer(tmp_path / "buffer") as buffer:
            device = DeviceClient(DEVICE, "4", buffer, line, clock=lambda: house.clock.now)
            played = play(device, Felt(seats=7), rng, 4, pause=pause, dealers=["A-dealer"])
        assert len(killed) == 2
        assert at.counted == (4, sum(map(len, played.rounds)))
        assert at.evening.is_sound()


def test_m_10_what_the_broker_keeps_while_the_server_is_dead_is_counted_once(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with floor(house, tmp_path) as at:
        first = at.bridge()
        line = at.line(timeout=20)
        assert line.send(at.message("hello"))["status"] == "heard"
        # It dies between the commit and its word to the broker: nothing was acknowledged, so it comes again.
        monkeypatch.setattr(first._client, "ack", lambda *_: None)
        press = at.message(sequence=1)
        assert line.send(press)["status"] == "counted"
        vanish_bridge(first)
        with suppress(LineCutError):
            MqttLine.send(quick(line), at.message(sequence=2, sensors=[]))
        assert at.counted == (1, 1)
        second = at.bridge()
        wait_for(lambda: house.room.state.of(TABLES).devices[DEVICE].sequence == 2)
        line._timeout = 20
        again = line.send(press)
        assert (again["status"], again["again"], again["acknowledged"]) == ("counted", True, 2)
        assert at.counted == (1, 1)
        second.close()
        assert at.evening.is_sound()


def quick(line: MqttLine) -> MqttLine:
    line._timeout = 0.2
    return line


def vanish_bridge(bridge: Bridge) -> None:
    peer = bridge._client.socket()
    bridge._client.loop_stop()
    assert peer is not None
    peer.close()


def test_t_09_nobody_publishes_for_another_device(house: House, tmp_path: Path) -> None:
    with floor(house, tmp_path) as at:
        bridge = at.bridge()
        other = at.line(OTHER)
        # By its own topic in another's name, and for a table that is not its own.
        reply = other.send(at.message(sequence=1))
        assert reply["status"] == "refused"
        assert f"device {OTHER} speaks as {DEVICE} (T-09)" in reply["problems"]
        # By another's topic: the broker lets nobody do that, and the message goes nowhere.
        from paho.mqtt.packettypes import PacketTypes  # noqa: PLC0415

        properties = with_token(PacketTypes.PUBLISH, at.tokens[OTHER])
        sent = other._client.publish(
            at.line().broker.topic(DEVICE, "messages"), at.message(sequence=1), qos=1, properties=properties
        )
        wait_for(sent.is_published)
        assert at.line().send(at.message("hello"))["acknowledged"] == 0
        # A password that is nobody's does not get in at all.
        with pytest.raises(NotAllowedError):
            at.line(token="nobody's").send(at.message("hello"))  # noqa: S106 - of nobody
        assert at.counted == (0, 0)
        bridge.close()


def test_t_09_the_server_does_not_rely_on_the_broker(house: House, tmp_path: Path) -> None:
    with floor(house, tmp_path, has_acl=False) as at:
        bridge = at.bridge()
        other = at.line(OTHER)
        assert other.send(at.message("hello", device=OTHER, table="5"))["status"] == "refused"
        other._messages, other._replies = (other.broker.topic(DEVICE, what) for what in ("messages", "replies"))
        other._client.subscribe(other._replies, qos=1)
        with pytest.raises(NotAllowedError, match="another device"):
            other.send(at.message(sequence=1))
        # A device that was taken away speaks no more, though its password at the broker is as it was.
        line = at.line()
        assert line.send(at.message("hello"))["status"] == "heard"
        house.access.make_token(DEVICE, SYSTEM_ACTOR)
        with pytest.raises(NotAllowedError):
            line.send(at.message(sequence=1))
        assert at.counted == (0, 0)
        house.access.traces.due(all_of_it=False)
        bridge.close()


def test_g_43_a_last_will_is_a_lost_line_and_a_short_break_is_none(house: House, tmp_path: Path) -> None:
    def is_lost() -> bool:
        return bool(house.room.state.of(TABLES).devices[DEVICE].lost)

    with floor(house, tmp_path) as at:
        bridge = at.bridge()
        line = at.line()
        assert line.send(at.message(sequence=1))["status"] == "counted"
        house.room.devices.watch(id="w1")
        assert not is_lost()
        vanish(line)
        wait_for(lambda: DEVICE in house.room.devices._gone)
        back = at.line()
        assert back.send(at.message("hello"))["status"] == "heard"
        house.room.devices.watch(id="w2")
        assert not is_lost(), "it was back before anybody looked"
        vanish(back)
        wait_for(lambda: DEVICE in house.room.devices._gone)
        house.room.devices.watch(id="w3")
        assert is_lost()
        (lost,) = house.entries("link-lost")
        assert json.loads(lost.payload)["words"] == "its broker has lost it"
        assert at.line().send(at.message(sequence=2, sensors=[]))["status"] == "released"
        assert not is_lost()
        bridge.close()


def test_a_broker_that_is_down_is_an_alarm_and_survived(house: House, tmp_path: Path) -> None:
    with floor(house, tmp_path) as at:
        at.broker.end()
        bridge = at.bridge()
        wait_for(lambda: any("does not answer" in words for words in at.troubles()))
        at.broker.start()
        wait_for(lambda: not at.troubles())
        assert at.line().send(at.message(sequence=1))["status"] == "counted"
        at.broker.end(signal.SIGKILL)
        wait_for(lambda: any("has gone" in words for words in at.troubles()))
        at.broker.start()
        wait_for(lambda: not at.troubles())
        bridge.close()


def certified(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate of an authority of its own, for this computer, and its key."""
    (folder / name).mkdir()
    return self_signed(folder / name)


def test_g_76_by_tls_presses_go_through_a_broker_whose_certificate_is_trusted(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = certified(tmp_path, "ours")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    with floor(house, tmp_path, certificate=certificate) as at:
        assert at.broker.address.startswith("mqtts://")
        bridge, rng = at.bridge(), random.Random(7)
        with DeviceBuffer(tmp_path / "buffer") as buffer:
            device = DeviceClient(DEVICE, "4", buffer, at.line(), clock=lambda: house.clock.now)
            pause = lambda seconds: house.clock.add(int(seconds * SECOND))  # noqa: E731
            played = play(device, Felt(seats=7), rng, 3, pause=pause, dealers=["A-dealer"])
        assert at.counted == (3, sum(map(len, played.rounds)))
        # Without TLS nobody is heard at this port.
        plain = MqttLine(at.broker.address.replace("mqtts", "mqtt"), DEVICE, at.tokens[DEVICE], timeout=1)
        at.stack.callback(plain.close)
        with pytest.raises(LineCutError, match="not connected"):
            plain.send(at.message("hello"))
        bridge.close()
        assert at.evening.is_sound()


@pytest.mark.parametrize("wrong", ["authority", "host"])
def test_g_76_a_broker_whose_certificate_is_not_trusted_gets_no_token_and_is_named_in_words(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    certificate = certify(tmp_path) if wrong == "host" else certified(tmp_path, "theirs")
    trusted = certificate if wrong == "host" else certified(tmp_path, "ours")
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted[0]))
    why = "IP address mismatch" if wrong == "host" else "self-signed certificate"
    words = f"its certificate is not to be trusted: {why}"
    with floor(house, tmp_path, certificate=certificate) as at:
        bridge = Bridge(house.room, parse_broker(at.broker.of_server), SERVER_PASSWORD)
        bridge.start()
        at.stack.callback(bridge.close)
        with pytest.raises(NotAllowedError, match=words):
            at.line().send(at.message(sequence=1))
        wait_for(lambda: any(words in trouble for trouble in at.troubles()))
        (tmp_path / "token").write_text(at.tokens[DEVICE])
        named = f"{at.broker.address} --device {DEVICE} --table 4 --token-file {tmp_path / 'token'}"
        for typed in (f"device conform {named}", f"device {named} --buffer {tmp_path / 'buffer'} --rounds 1"):
            shown = run(typed)
            assert shown.exit_code == 2, shown.output
            assert words in " ".join(shown.output.split())
            assert "SSL_CERT_FILE" in shown.output
        assert at.counted == (0, 0)
        log = (at.broker.folder / "log").read_text(encoding="utf-8")
        assert DEVICE not in log, "nobody has signed in"
    # A connection that was left open would be an error here: each try to connect again would leave one more.
    gc.collect()


@pytest.mark.slow
def test_m_10_a_server_that_is_killed_counts_what_waits_at_the_broker(house: House, tmp_path: Path) -> None:
    with floor(house, tmp_path) as at:
        path = house.room.books.directory.path
        house.room.close()
        options = ("--mqtt", at.broker.of_server, "--mqtt-password", str(at.broker.folder / "password"))
        now = time.time_ns() // 1000
        message = {
            "type": "press",
            "device": DEVICE,
            "table": "4",
            "sequence": 1,
            "at": now,
            "sent": now,
            "sensors": [[1, 1]],
        }
        line = at.line(timeout=30)
        with running(path, *options) as server:
            assert line.send(json.dumps(message).encode())["status"] == "counted"
            server.process.send_signal(signal.SIGKILL)
        line._timeout = 0.5
        release = message | {"sequence": 2, "at": now + 2_000_000, "sent": now + 2_000_000, "sensors": []}
        with pytest.raises(LineCutError):
            line.send(json.dumps(release).encode())
        line._timeout = 30
        with running(path, *options):
            again = line.send(json.dumps(release).encode())
            assert (again["status"], again["acknowledged"]) == ("released", 2)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://x", "must be the address of a broker"),
        ("mqtt://broker.example", "leads off this computer"),
        ("mqtts://u:secret@broker.example", "must not have a password"),
        ("mqtts://broker.example/a/#", "prefix"),
        ("mqtts://broker.example:x", "must be the address"),
    ],
)
def test_g_76_an_address_of_a_broker_that_is_none_or_not_safe_is_refused(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_broker(url)


def test_what_a_stranger_publishes_leaves_no_words_of_theirs_in_the_books(house: House) -> None:
    """Seen: whoever could publish at the broker wrote topics of any length and words into the report of access."""
    bridge = Bridge(house.room, parse_broker("mqtt://pitboss@127.0.0.1"), "x")
    token = house.as_("device").headers["authorization"].partition(" ")[2]
    for pairs in ([], [("token", token)]):
        properties = SimpleNamespace(UserProperty=[(TOKEN, value) for _, value in pairs])
        for number in range(3):
            topic = f"pitboss/devices/{number}{'x' * 60_000}/lost"
            bridge._answer(SimpleNamespace(topic=topic, properties=properties, payload=b""))  # type: ignore[arg-type]
    house.clock.add(2 * 60 * SECOND)
    house.access.tidy()
    traced = [json.loads(entry.payload) for entry in house.entries("access-traced")]
    assert [(each["who"], each["page"], each["count"]) for each in traced] == [
        ("", "", 3),
        ("the device", "MQTT lost", 3),
    ]


def test_serve_names_all_that_is_wrong_with_a_broker(tmp_path: Path) -> None:
    assert listening_problems(Listening(mqtt_password=tmp_path)) == [
        "mqtt: a password is for a broker: name it, --mqtt mqtts://USER@HOST"
    ]
    problems = listening_problems(Listening(mqtt="mqtts://broker.example", mqtt_password=tmp_path / "none"))
    assert len(problems) == 2
    assert "secret" not in " ".join(listening_problems(Listening(mqtt="http://x")))
