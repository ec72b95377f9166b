"""Addresses of routers; other texts are refused."""

from __future__ import annotations

import unittest

from reloadrouter.address import address_text, parse_address


class Addresses(unittest.TestCase):
    def test_addresses_are_read_as_commands_read_them(self) -> None:
        for text, host, port in [
            ("router.example", "router.example", 7410),
            ("router.example:1", "router.example", 1),
            ("127.0.0.1", "127.0.0.1", 7410),
            ("127.0.0.1:65535", "127.0.0.1", 65535),
            ("::1", "::1", 7410),
            ("2001:db8::1:2", "2001:db8::1:2", 7410),
            ("::ffff:127.0.0.1", "::ffff:127.0.0.1", 7410),
            ("fe80::1%eth0", "fe80::1%eth0", 7410),
            ("[::1]", "::1", 7410),
            ("[::1]:65535", "::1", 65535),
            ("[fe80::1%eth0]:1", "fe80::1%eth0", 1),
        ]:
            with self.subTest(text):
                self.assertEqual(parse_address(text), (host, port))
                self.assertEqual(parse_address(address_text(host, port)), (host, port))

    def test_other_texts_are_refused(self) -> None:
        for text in [
            *("", ":7410", "a:", "a:0", "a:65536", "a:http", "a:-1", "a:\u0661", "a b:1", "a\t:1", "a/b", "u@a:1"),
            *("a:1:2", "u:p@a:1", "https://a:1", "::1::", "1:2:3:4:5:6:7:8:9", "::g", "::1%", ":%:"),
            *("[a:b]:1", "[a]:1", "[127.0.0.1]:1", "[[::1]]:1"),
            *("[]:1", "[::1", "::1]", "[::1]7410", "[::1]:", "[::1]:0"),
            *("[::1]:1:2", "[::1%]:1", "[::\u0661]:1", "[::1\0]:1", "::1\0"),
        ]:
            with self.subTest(text), self.assertRaises(ValueError):
                parse_address(text)

    def test_a_port_may_be_named_twice_but_not_another_one(self) -> None:
        self.assertEqual(parse_address("a:1", 1), ("a", 1))
        self.assertEqual(parse_address("::1", 2), ("::1", 2))
        for text in ("a:1", "[::1]:1"):
            with self.subTest(text), self.assertRaises(ValueError):
                parse_address(text, 2)


if __name__ == "__main__":
    unittest.main()
