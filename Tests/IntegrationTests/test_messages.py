"""What a newcomer reads when an address, a port, a token or a name is wrong."""

import http.server
import pathlib
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

from support import *

# A machine under load may take longer than the two seconds that the commands allow themselves.
SOON = 8


class Listener:
    """A server of this process: plain HTTP, or HTTP over TLS."""

    def __init__(self, context=None):
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
        # A handshake that fails is the client's affair.
        self.server.handle_error = lambda *_: None
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Ports(RouterCase):
    flags = ("--admin", "127.0.0.1:0")

    def serve(self, context=None):
        listener = Listener(context)
        self.addCleanup(listener.close)
        return listener.port

    def tls(self):
        folder = tempfile.TemporaryDirectory(prefix="reload-router-tls-")
        self.addCleanup(folder.cleanup)
        key, certificate = (str(pathlib.Path(folder.name) / name) for name in ("key", "cert"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out",
             certificate, "-days", "1", "-subj", "/CN=localhost"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        return self.serve(context)

    def fails(self, *arguments, says, program=command, status=2):
        started = time.monotonic()
        result = program(*arguments, timeout=30)
        self.assertEqual(result.returncode, status, result.stderr)
        for text in says:
            self.assertIn(text, result.stderr)
        self.assertLess(time.monotonic() - started, SOON)
        return result

    @property
    def pushing(self):
        return ("push", "--app", "com.other", '{"a":1}', "--to")

    def test_a_number_is_a_port_of_this_machine(self):
        """For the router, and for its admin server."""
        port, admin = self.router.address[1], self.router.admin[1]
        result = command(*self.pushing, port)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = command("top", "--once", "--json", "--to", admin)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_port_that_speaks_http_is_named(self):
        """The router's own admin server, and any other."""
        admin = self.router.admin[1]
        self.fails(*self.pushing, admin, says=[f"localhost:{admin} speaks HTTP", "7410"])
        self.fails("device", "--app", "com.other", "--device", "d", "--to", f"127.0.0.1:{self.serve()}",
                   says=["speaks HTTP"])

    def test_a_port_that_speaks_tls_is_named(self):
        port = self.tls()
        self.fails(*self.pushing, port, says=[f"localhost:{port} speaks TLS"])
        self.fails("top", "--once", "--to", port, says=[f"localhost:{port} speaks TLS"])

    def test_an_admin_client_at_the_port_for_pushes_learns_what_it_is(self):
        port = self.router.address[1]
        for arguments in (("top", "--once"), ("producers",),
                          ("explain", "--app", "com.other", "--push", "{}")):
            with self.subTest(arguments[0]):
                self.fails(*arguments, "--to", port, says=["not HTTP", "7411"])

    def test_an_address_without_a_listener_is_named_at_once(self):
        nobody = "127.0.0.1:1"
        self.fails(*self.pushing, nobody, says=[nobody, "refused"])
        self.fails("device", "--app", "com.other", "--device", "d", "--to", nobody, says=[nobody])
        for arguments in (("top", "--once"), ("producers",),
                          ("explain", "--app", "com.other", "--push", "{}")):
            with self.subTest(arguments[0]):
                self.fails(*arguments, "--to", nobody, says=[f"http://{nobody}", "refused"])

    def test_a_host_that_never_answers_is_named_within_seconds(self):
        """A listener whose queue is full lets no connection be made."""
        full = socket.socket()
        self.addCleanup(full.close)
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            self.addCleanup(one.close)
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
        self.fails(*self.pushing, f"127.0.0.1:{port}", says=[f"127.0.0.1:{port}", "no connection within"])
        self.fails("top", "--once", "--to", f"127.0.0.1:{port}", says=[f"http://127.0.0.1:{port}"])

    def test_an_address_that_is_in_use_is_named(self):
        """With what to do about it."""
        taken = self.router.to
        apps = ("--apps", self.router.apps, "--store", "none")
        self.fails("serve", "--listen", taken, *apps, status=1,
                   says=[f"cannot listen on {taken}", "in use", "--listen HOST:PORT sets another address"])
        admin = "{}:{}".format(*self.router.admin)
        self.fails("serve", "--listen", "127.0.0.1:0", "--admin", admin, *apps, status=1,
                   says=[f"cannot listen on {admin}", "in use", "--admin HOST:PORT sets another address"])
        self.fails("screen", "--app", APP, "--device", "d", "--widget", f"{DETAIL}:w", "--page", admin,
                   program=lab, status=1,
                   says=[f"cannot listen on {admin}", "--page HOST:PORT sets another address"])

    def test_a_missing_token_is_named_with_the_ways_to_give_one(self):
        """A wrong token is another matter."""
        arguments = ("push", "--app", APP, "{}", "--to", self.router.to)
        self.fails(*arguments, says=["HELLO has no token", "--token", "RELOAD_ROUTER_TOKEN"])
        wrong = self.fails(*arguments, "--token", "wrong", says=["token-invalid"])
        self.assertNotIn("RELOAD_ROUTER_TOKEN", wrong.stderr)

    def test_a_misspelled_kind_or_command_gets_the_name_that_was_meant(self):
        self.fails("device", "--app", "com.other", "--device", "d", "--widget", "com.other.newz:w",
                   "--to", self.router.to, status=1, says=["did you mean com.other.news?"])
        self.fails("pusj", status=64, says=["did you mean push?"])
        self.fails("benhc", program=lab, status=64, says=["did you mean bench?"])


if __name__ == "__main__":
    unittest.main()
