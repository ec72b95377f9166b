"""A TLS client that calls OpenSSL itself, for what Python's module has no word for: new keys."""

import ctypes
import ctypes.util
import select
import unittest

NOT_REQUESTED, REQUESTED = 0, 1
WANT_READ = 2
#: The control that says how many bytes a BIO has (BIO_CTRL_PENDING).
PENDING = 10


def library(name):
    path = ctypes.util.find_library(name)
    if not path:
        raise unittest.SkipTest(f"there is no lib{name}")
    return ctypes.CDLL(path)


def declared(loaded, result, name, *arguments):
    function = getattr(loaded, name)
    function.restype, function.argtypes = result, arguments
    return function


class OpenSSL:
    """The functions of OpenSSL that are used here."""

    def __init__(self):
        ssl, crypto = library("ssl"), library("crypto")
        pointer, integer = ctypes.c_void_p, ctypes.c_int
        for name in ("TLS_client_method",):
            setattr(self, name, declared(ssl, pointer, name))
        for name in ("SSL_CTX_new", "SSL_new"):
            setattr(self, name, declared(ssl, pointer, name, pointer))
        for name in ("SSL_free", "SSL_CTX_free"):
            setattr(self, name, declared(ssl, None, name, pointer))
        for name in ("SSL_connect", "SSL_do_handshake"):
            setattr(self, name, declared(ssl, integer, name, pointer))
        for name in ("SSL_set_fd", "SSL_key_update", "SSL_get_error"):
            setattr(self, name, declared(ssl, integer, name, pointer, integer))
        for name in ("SSL_write", "SSL_read"):
            setattr(self, name, declared(ssl, integer, name, pointer, ctypes.c_char_p, integer))
        self.SSL_set0_wbio = declared(ssl, None, "SSL_set0_wbio", pointer, pointer)
        self.BIO_s_mem = declared(crypto, pointer, "BIO_s_mem")
        self.BIO_new = declared(crypto, pointer, "BIO_new", pointer)
        self.BIO_read = declared(crypto, integer, "BIO_read", pointer, ctypes.c_char_p, integer)
        self.BIO_ctrl = declared(crypto, ctypes.c_long, "BIO_ctrl", pointer, integer,
                                 ctypes.c_long, pointer)


class Peer:
    """A socket with TLS, for `Client(security=Peer)`; it trusts every router."""

    def __init__(self, connected):
        self.openssl, self.socket = OpenSSL(), connected
        self.timeout = 10
        connected.setblocking(True)
        self.context = self.openssl.SSL_CTX_new(self.openssl.TLS_client_method())
        self.session = self.openssl.SSL_new(self.context)
        self.openssl.SSL_set_fd(self.session, connected.fileno())
        if self.openssl.SSL_connect(self.session) != 1:
            raise OSError("the handshake has failed")
        # From now on what is to be sent is kept, so that many messages leave at once.
        self.output = self.openssl.BIO_new(self.openssl.BIO_s_mem())
        self.openssl.SSL_set0_wbio(self.session, self.output)

    def settimeout(self, timeout):
        self.timeout = timeout

    def ask_for_keys(self, kind, count=1):
        """Changes the own keys, with or without asking the router for the same; returns the bytes."""
        for _ in range(count):
            assert self.openssl.SSL_key_update(self.session, kind) == 1
            assert self.openssl.SSL_do_handshake(self.session) == 1
        return self.taken()

    def taken(self):
        size = self.openssl.BIO_ctrl(self.output, PENDING, 0, None)
        buffer = ctypes.create_string_buffer(max(size, 1))
        count = self.openssl.BIO_read(self.output, buffer, size)
        return buffer.raw[:max(count, 0)]

    def send_bytes(self, data):
        self.socket.settimeout(self.timeout)
        self.socket.sendall(data)

    def sendall(self, data):
        assert self.openssl.SSL_write(self.session, data, len(data)) == len(data)
        self.send_bytes(self.taken())

    def recv(self, most):
        buffer = ctypes.create_string_buffer(most)
        self.socket.setblocking(False)
        while True:
            count = self.openssl.SSL_read(self.session, buffer, most)
            if answer := self.taken():
                self.send_bytes(answer)
                self.socket.setblocking(False)
            if count > 0:
                return buffer.raw[:count]
            if self.openssl.SSL_get_error(self.session, count) != WANT_READ:
                return b""
            if not select.select([self.socket], [], [], self.timeout)[0]:
                raise TimeoutError("nothing comes")

    def close(self):
        if self.session:
            self.openssl.SSL_free(self.session)
            self.openssl.SSL_CTX_free(self.context)
            self.session = None
        self.socket.close()
