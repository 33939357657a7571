"""The server's end of an MQTT broker: messages of devices go to the one receiver, and their replies back.

A message is acknowledged to the broker after its reply was made, which is after the commit. Where the server dies
before that, the broker delivers it again, and it is answered as the first time. By whose token it comes is checked here
for each message, whatever the broker lets through.
"""

import json
import logging
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from pitboss.room.room import Room
from pitboss.tabulator.devices.broker import Broker
from pitboss.tabulator.devices.mqtt import REPLY_SECONDS, TOKEN, connect, distrust, make_client

_LANES, _AT_ONCE_MAX = 8, 200
_LEAD_SECONDS = 0.25
"""So often it is asked whether this server leads."""
_STRANGER = "this token is nobody's, has ended, or is that of another device: make a new one (T-09, G-76)"
_log = logging.getLogger(__name__)


class Bridge:
    """Between a broker and a room: a thread that reads, and lanes in which a device's messages keep their order."""

    def __init__(self, room: Room, broker: Broker, password: str) -> None:
        self._room, self._broker = room, broker
        self._lanes = [ThreadPoolExecutor(1, thread_name_prefix=f"mqtt-{lane}") for lane in range(_LANES)]
        self._connection = 0
        self._lock = threading.Lock()
        self.subscribed = threading.Event()
        """Set while the broker delivers, and keeps, what devices publish."""
        self._client = make_client(broker, broker.user, password, manual_ack=True)
        self._client.on_connect = self._connected
        self._client.on_subscribe = self._subscribed
        self._client.on_disconnect = self._disconnected
        self._client.on_connect_fail = self._failed
        self._client.on_message = self._received

    def start(self) -> None:
        """Start to connect; a broker that is away is tried again and again."""
        connect(self._client, self._broker, at_once_max=_AT_ONCE_MAX)

    def close(self) -> None:
        """Stop receiving messages, and finish those that were begun; the broker keeps the rest."""
        self._client.on_disconnect = None
        self._connection = -1
        for lane in self._lanes:
            lane.shutdown(wait=True, cancel_futures=True)
        self._client.disconnect()
        self._client.loop_stop()

    def _tell(self, text: str) -> None:
        """Raise an alarm about the broker, or end it."""
        if text:
            _log.warning("%s", text)
        self._room.devices.tell_stuck("the MQTT broker", text)

    def _connected(self, client: paho.Client, _data: object, _flags: object, reason: Any, _props: object) -> None:
        if reason.is_failure:
            self._tell(f"The MQTT broker at {self._broker.address} refuses this server: {reason}")
            return
        self._connection += 1
        # What was published before is in the session: a message that is retained was received once.
        options = SubscribeOptions(qos=1, retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND)
        client.subscribe([(f"{self._broker.prefix}/devices/+/{what}", options) for what in ("messages", "lost")])

    def _subscribed(self, _client: object, _data: object, _mid: int, reasons: list[Any], _props: object) -> None:
        refusals = [str(reason) for reason in reasons if reason.is_failure]
        text = f"The MQTT broker at {self._broker.address} does not let this server read its topics: "
        self._tell(text + ", ".join(refusals) if refusals else "")
        if not refusals:
            self.subscribed.set()

    def _disconnected(self, *_: object) -> None:
        self.subscribed.clear()
        self._tell(f"The MQTT broker at {self._broker.address} has gone: its devices are not heard until it is back")

    def _failed(self, *_: object) -> None:
        why = distrust() or "it does not answer"
        self._tell(f"The MQTT broker at {self._broker.address} cannot be reached, {why}: its devices are not heard")

    def _received(self, _client: object, _data: object, message: paho.MQTTMessage) -> None:
        # A last will and what the device says when it is back keep their order too.
        lane = self._lanes[zlib.crc32(self._broker.device_of(message.topic).encode()) % _LANES]
        # While the server ends no lane takes more: the broker keeps what is not acknowledged.
        with suppress(RuntimeError):
            lane.submit(self._take, message, self._connection)

    def _take(self, message: paho.MQTTMessage, connection: int) -> None:
        try:
            self._answer(message)
        except Exception:  # noqa: BLE001 - not acknowledged: the broker delivers it again
            _log.exception("a message on %s fails", message.topic)
            return
        # After another connection the same number may be another message's.
        if connection == self._connection:
            self._client.ack(message.mid, message.qos)

    def _answer(self, message: paho.MQTTMessage) -> None:
        name, what = self._broker.device_of(message.topic), message.topic.rpartition("/")[2]
        device = self._room.access.device_with(_token_of(message))
        if device is None or device.what != "device" or device.name != name:
            # Not the topic: whoever publishes could name any.
            page = f"MQTT {'lost' if what == 'lost' else 'messages'}"
            self._room.access.traces.add("" if device is None else device.name, "", "refused", page)
            if what == "messages":
                self._reply(name, message, {"status": "stranger", "problems": [_STRANGER]})
        elif what == "lost":
            self._room.devices.lose(name)
        else:
            self._reply(name, message, self._room.devices.receive(bytes(message.payload), device=name))

    def _reply(self, device: str, message: paho.MQTTMessage, reply: dict[str, Any]) -> None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.MessageExpiryInterval = REPLY_SECONDS
        number = getattr(message.properties, "CorrelationData", None)
        if isinstance(number, bytes):
            properties.CorrelationData = number
        topic = self._broker.topic(device, "replies")
        self._client.publish(topic, json.dumps(reply).encode(), qos=1, properties=properties)


def _token_of(message: paho.MQTTMessage) -> str:
    pairs = getattr(message.properties, "UserProperty", ())
    return next((value for name, value in pairs if name == TOKEN), "")


@contextmanager
def bridged(room: Room, broker: Broker, password: Path) -> Iterator[None]:
    """Receive the messages of a broker's devices for as long as this lasts, while this server leads.

    Two servers of a room are one user to the broker: one that stands by would take the connection from the leader.
    """
    text, begun, ended = password.read_text(encoding="utf-8").strip(), threading.Event(), threading.Event()
    arguments = (room, lambda: Bridge(room, broker, text), begun, ended)
    thread = threading.Thread(target=_follow_lead, args=arguments, name="mqtt")
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _follow_lead(room: Room, make: Callable[[], Bridge], begun: threading.Event, ended: threading.Event) -> None:
    """Run a bridge while this server leads, until it ends."""
    bridge: Bridge | None = None
    while True:
        leads = room.is_leader and not ended.is_set()
        if leads and bridge is None:
            bridge = make()
            bridge.start()
        elif bridge is not None and not leads:
            bridge.close()
            bridge = None
        begun.set()
        if ended.is_set():
            return
        ended.wait(_LEAD_SECONDS)
