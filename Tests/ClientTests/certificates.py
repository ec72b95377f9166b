"""Certificates for tests, made with the openssl command: an authority, and what it signs."""

import pathlib
import ssl
import subprocess
import tempfile

#: What the TLS of every language knows.
NEW_KEY = ["-newkey", "rsa:2048", "-nodes"]


class Authority:
    """A certificate authority in a folder that is deleted at the end of a test case."""

    def __init__(self, case):
        folder = tempfile.TemporaryDirectory(prefix="client-certificates-")
        case.addClassCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = str(self.folder / "ca.pem")
        self._openssl("req", "-x509", *NEW_KEY, "-keyout", self.folder / "ca-key.pem", "-out", self.file,
                      "-subj", "/CN=tests", "-days", "2", "-addext", "keyUsage=critical,keyCertSign")

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        assert done.returncode == 0, done.stdout

    def certificate(self, name, subject="IP:127.0.0.1", days=2):
        """Makes a certificate for a subjectAltName; with negative days it has expired. Returns its two files."""
        certificate, key = self.folder / f"{name}.pem", self.folder / f"{name}-key.pem"
        request, extensions = self.folder / f"{name}.csr", self.folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={subject}\nextendedKeyUsage=serverAuth,clientAuth\n")
        self._openssl("req", *NEW_KEY, "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        self._openssl("x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self.folder / "ca-key.pem",
                      "-CAcreateserial", "-days", days, "-extfile", extensions, "-out", certificate)
        return str(certificate), str(key)

    def server(self, files, client_authority=None):
        """What a router makes TLS with; with an authority, it wants a certificate of the client."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*files)
        context.set_alpn_protocols(["rr/1"])
        if client_authority is not None:
            context.load_verify_locations(client_authority.file)
            context.verify_mode = ssl.CERT_REQUIRED
        return context
