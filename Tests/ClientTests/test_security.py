"""TLS: the client knows whom it speaks to before it says anything."""

import ssl
import time
import unittest

from certificates import Authority
from client_case import ClientCase, wait_until
from client_driver import conformance
from scripted_router import ACK, SESSION, WELCOME, frame


class Security(ClientCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.authority = Authority(cls)
        cls.good = cls.authority.certificate("good")

    def secure(self, files, client_authority=None):
        return self.router(self.authority.server(files, client_authority))

    def assert_refused(self, router, driver):
        """The client ends the handshake, or at least the connection, and says nothing before."""
        try:
            session = router.accept()
        except (ssl.SSLError, OSError) as error:
            self.assertNotIsInstance(error, TimeoutError)
        else:
            self.assertEqual(session.drain(), [], "a client has sent frames to a stranger")
            session.cut()
        wait_until(lambda: driver.take("disconnected") or driver.take("failed"), "an end of the connection")
        self.assertEqual(driver.take("connected"), [])

    def test_pushes_over_tls(self):
        driver, router, session = self.start(self.secure(self.good), ca=self.authority.file)
        offered = "rr/1" if conformance().get("alpn", True) else None
        self.assertEqual(session.socket.selected_alpn_protocol(), offered)
        for n in range(100):
            driver.push({"n": n, "text": "x" * 1000})
        self.assertEqual([push.payload["n"] for push in session.pushes(100)], list(range(100)))
        session.ack(40)
        wait_until(lambda: driver.statistics()["acknowledged"] == 40, "the ACK")
        session.cut()
        session, hello = router.open(lastSeq=40)
        self.assertEqual(hello["acked"], 40)
        self.assertEqual(session.pushes(60)[0].seq, 41)
        session.ack(100)
        self.assertTrue(driver.flush())
        self.assertEqual(driver.close(), 0)

    def test_records_that_come_in_pieces_are_put_together(self):
        """However long the pieces take: a client may look up from its socket within a record."""
        router, driver = self.router(), self.driver()
        driver.connect(router.port, ca=self.authority.file)
        raw = router.accept().socket
        received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
        secured = self.authority.server(self.good).wrap_bio(received, sent, server_side=True)

        def until_done(call):
            while True:
                try:
                    return call()
                except ssl.SSLWantReadError:
                    raw.sendall(sent.read())
                    received.write(raw.recv(65536))

        def send_in_pieces(data):
            secured.write(data)
            record = sent.read()
            for at in range(0, len(record), len(record) // 4):
                raw.sendall(record[at:at + len(record) // 4])
                time.sleep(0.3)

        until_done(secured.do_handshake)
        until_done(lambda: secured.read(65536))  # HELLO
        send_in_pieces(frame(WELCOME, 0, {"v": 1, "session": SESSION, "maxBody": 65536, "window": 10, "lastSeq": 0}))
        driver.event("connected")
        driver.push({"n": 1})
        until_done(lambda: secured.read(65536))
        send_in_pieces(frame(ACK, 1, bytes(4)))
        self.assertTrue(driver.flush())
        self.assertEqual(driver.take("disconnected"), [])

    def test_tls_that_ends_in_order(self):
        driver, router, session = self.start(self.secure(self.good), ca=self.authority.file)
        session.error("ping-timeout", "reconnect")
        self.assertEqual(driver.event("disconnected")["code"], "ping-timeout")
        router.open()
        driver.event("connected")

    def test_a_certificate_of_another_name_is_refused(self):
        router = self.secure(self.authority.certificate("other", "DNS:router.example"))
        driver = self.driver()
        driver.connect(router.port, ca=self.authority.file)
        self.assert_refused(router, driver)

    def test_a_certificate_of_another_address_is_refused(self):
        router = self.secure(self.authority.certificate("elsewhere", "IP:127.0.0.2"))
        driver = self.driver()
        driver.connect(router.port, ca=self.authority.file)
        self.assert_refused(router, driver)

    def test_a_certificate_for_the_name_is_accepted(self):
        router = self.secure(self.authority.certificate("local", "DNS:localhost"))
        self.start(router, ca=self.authority.file, host="localhost")

    def test_an_expired_certificate_is_refused(self):
        router = self.secure(self.authority.certificate("expired", days=-1))
        driver = self.driver()
        driver.connect(router.port, ca=self.authority.file)
        self.assert_refused(router, driver)

    def test_a_certificate_of_an_unknown_authority_is_refused(self):
        stranger = Authority(type(self))
        router = self.router(stranger.server(stranger.certificate("stranger")))
        driver = self.driver()
        driver.connect(router.port, ca=self.authority.file)
        self.assert_refused(router, driver)

    def test_a_certificate_that_expires_between_sessions_is_waited_for(self):
        router = self.secure(self.good)
        driver, _, session = self.start(router, ca=self.authority.file)
        driver.push({"n": 1})
        session.push()
        router.tls = self.authority.server(self.authority.certificate("overdue", days=-1))
        session.cut()
        driver.event("disconnected")
        for _ in range(2):
            self.assert_refused(router, driver)
        router.tls = self.authority.server(self.authority.certificate("renewed"))
        # An attempt may have begun before the renewal.
        for _ in range(10):
            try:
                session, _ = router.open()
                break
            except (ssl.SSLError, ConnectionError):
                continue
        self.assertEqual(session.push().payload, {"n": 1})

    def test_a_certificate_of_the_client_is_shown(self):
        router = self.secure(self.good, client_authority=self.authority)
        certificate, key = self.authority.certificate("client", "DNS:shard-7")
        _, _, session = self.start(router, ca=self.authority.file, certificate=certificate, key=key)
        self.assertIn(("DNS", "shard-7"), session.socket.getpeercert()["subjectAltName"])

    def test_a_peer_without_tls_gets_no_frames(self):
        router, driver = self.router(), self.driver()
        driver.connect(router.port, ca=self.authority.file, timeoutMs=1000)
        session = router.accept()
        session.raw(bytes.fromhex("0000000c030000000000000000000007"))
        wait_until(lambda: driver.take("disconnected") or driver.take("failed"), "an end of the connection")
        self.assertNotIn(b'"role"', session.buffer)


if __name__ == "__main__":
    unittest.main()
