package io.github.reloadrouter;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** TLS as a publisher uses it: certificates and keys from PEM files, and the checks of a peer. */
final class Tls {
    private static final char[] NO_PASSWORD = {};

    private Tls() {}

    /** Returns a context with the options' authority and certificate; without them, the system's. */
    static SSLContext context(PublisherOptions options) throws IOException, GeneralSecurityException {
        if (options.context != null) {
            return options.context;
        }
        TrustManager[] trusted = null;
        if (options.authority != null) {
            KeyStore store = emptyStore();
            int count = 0;
            for (Certificate one : certificates(options.authority)) {
                store.setCertificateEntry("authority" + count++, one);
            }
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            trusted = factory.getTrustManagers();
        }
        KeyManager[] own = null;
        if (options.certificate != null) {
            KeyStore store = emptyStore();
            Certificate[] chain = certificates(options.certificate);
            store.setKeyEntry("own", privateKey(options.key), NO_PASSWORD, chain);
            var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            own = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, trusted, null);
        return context;
    }

    /** Begins TLS on a connected socket, and checks that the certificate is for the host. */
    static SSLSocket connect(SSLContext context, Socket socket, String host, int port)
            throws IOException {
        SSLSocket secured =
                (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"rr/1"});
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private static Certificate[] certificates(Path path)
            throws IOException, GeneralSecurityException {
        byte[] pem = Files.readAllBytes(path);
        Certificate[] all = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem))
                .toArray(new Certificate[0]);
        if (all.length == 0) {
            throw new GeneralSecurityException(path + " has no certificate");
        }
        return all;
    }

    /** Reads a key in PKCS #8, the format of {@code BEGIN PRIVATE KEY}. */
    private static PrivateKey privateKey(Path path) throws IOException, GeneralSecurityException {
        String pem = Files.readString(path, StandardCharsets.US_ASCII);
        int start = pem.indexOf("-----BEGIN PRIVATE KEY-----");
        int end = pem.indexOf("-----END PRIVATE KEY-----");
        if (start < 0 || end < start) {
            throw new GeneralSecurityException(path + " has no key in PKCS #8 without a password");
        }
        byte[] der = Base64.getMimeDecoder().decode(pem.substring(start + 27, end));
        for (String algorithm : new String[] {"RSA", "EC", "EdDSA"}) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (InvalidKeySpecException e) {
                continue; // Another algorithm's key.
            }
        }
        throw new GeneralSecurityException(path + " has no RSA, EC or Ed25519 key");
    }
}
