"""A server of HTTP/2 without TLS in the place of APNs that answers each request in the same way, as a proxy or the page of
another server would; with the package h2 of .build/python.

    .build/python/bin/python strange_peer.py PORT '{"status":404,"fields":{"content-type":"text/html"},"body":"<html>…"}'
"""

import json
import socket
import sys
import threading

import h2.config
import h2.connection
import h2.events


def serve(peer, answer):
    """Answers a connection until it ends."""
    session = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    session.initiate_connection()
    peer.sendall(session.data_to_send())
    left = {}
    while data := peer.recv(65_536):
        for event in session.receive_data(data):
            if isinstance(event, h2.events.StreamEnded):
                fields = [(":status", str(answer["status"])), *answer.get("fields", {}).items()]
                left[event.stream_id] = answer.get("body", "").encode()
                session.send_headers(event.stream_id, fields, end_stream=not left[event.stream_id])
            elif isinstance(event, h2.events.StreamReset):
                left.pop(event.stream_id, None)
        for stream in list(left):
            while body := left[stream]:
                count = min(len(body), session.local_flow_control_window(stream), session.max_outbound_frame_size)
                if count <= 0:
                    break
                session.send_data(stream, body[:count], end_stream=count == len(body))
                left[stream] = body[count:]
            if not left[stream]:
                del left[stream]
        peer.sendall(session.data_to_send())


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    print("listening", flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0], json.loads(sys.argv[2])), daemon=True).start()
