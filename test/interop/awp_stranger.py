"""A client of the Agent Web Protocol written from the document alone, with the standard library of Python.

    awp_stranger.py HOST PORT SITE

Speaks JSON in text frames, goes through the first example of the document and the fallback of the second, and prints
what it saw as one JSON object.
"""
import base64
import json
import os
import socket
import struct
import sys


class Peer:
    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=30)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                f"GET /awp HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        status = self.file.readline()
        assert b" 101 " in status, status
        while self.file.readline() not in (b"\r\n", b""):
            pass
        self.next = 1
        self.events = []

    def write(self, opcode, payload):
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0x80 | 126]) + struct.pack("!H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack("!Q", size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)))

    def read(self):
        first, second = self.file.read(2)
        size = second & 0x7F
        if size == 126:
            size = struct.unpack("!H", self.file.read(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", self.file.read(8))[0]
        payload = self.file.read(size)
        opcode = first & 0x0F
        if opcode == 9:
            self.write(10, payload)
            return self.read()
        assert opcode == 1 and first & 0x80, (opcode, payload[:80])
        return json.loads(payload)

    def ask(self, method, params):
        wanted = str(self.next)
        self.next += 1
        request = {"id": wanted, "type": "request", "method": method, "params": params}
        self.write(1, json.dumps(request).encode())
        while True:
            message = self.read()
            if message["type"] == "event":
                assert "id" not in message and message["meta"]["trace_id"] and message["meta"]["span_id"]
                self.events.append(message["method"])
                continue
            assert message["id"] == wanted and ("result" in message) != ("error" in message), message
            return message

    def result(self, method, params):
        message = self.ask(method, params)
        assert "result" in message, message
        return message["result"]


def main(host, port, site):
    peer = Peer(host, int(port))
    seen = {}
    hello = peer.result(
        "awp.hello",
        {
            "client": {"name": "stranger", "version": "0"},
            "awp": {"versions": ["0.1"]},
            "wants": {"encoding": ["json"], "compression": ["none"], "features": ["som.snapshots", "som.mutations"]},
        },
    )
    seen["version"] = hello["awp"]["version"]
    session = peer.result("session.create", {"persist": False, "ttl_ms": 3600000})["session_id"]
    at = {"session_id": session, "page_id": peer.result("page.create", {"session_id": session})["page_id"]}
    wait = {"until": "som_stable", "timeout_ms": 10000}
    box = {"query": {"role": "input", "text": "Search"}}
    peer.result("page.navigate", {**at, "url": f"{site}/", "wait": {"until": "network_idle", "timeout_ms": 15000}})
    first = peer.result("page.observe", {**at, "mode": "snapshot", "format": "som+json", "max_bytes": 262144})
    seen["title"] = first["som"]["title"]
    peer.result("page.act", {**at, "intent": {"action": "type", "target": box, "value": "lamps"}, "wait": wait})
    sent = peer.result("page.act", {**at, "intent": {"action": "submit", "target": box}, "wait": wait})
    seen["navigation"] = sent["effects"]["navigation"]
    since = peer.result("page.observe", {**at, "mode": "mutations", "cursor": first["cursor"], "max_events": 100})
    seen["patches"] = len(since["patches"])
    queries = {"titles": {"query": {"role": "link"}, "all": True, "props": ["text", "href"]}}
    seen["titles"] = peer.result("page.extract", {**at, "queries": queries})["data"]["titles"]
    peer.result("page.navigate", {**at, "url": f"{site}/pay"})
    seen["skills"] = peer.ask("skills.list", {})["error"]["code"]
    peer.result("page.act", {**at, "intent": {"action": "fill_form", "value": {"Card number": "4242424242424242"}}})
    form = {"query": {"role": "form", "text": "Checkout"}}
    peer.result("page.act", {**at, "intent": {"action": "submit_form", "target": form}})
    seen["paid"] = peer.result("page.observe", at)["som"]["title"]
    seen["closed"] = peer.result("session.close", {"session_id": session})["closed"]
    seen["events"] = sorted(set(peer.events))
    print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
