package io.github.reloadrouter;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** TLS as a publisher uses it: certificates and keys from PEM files, and the checks of a peer. */
final class Tls {
    private static final char[] NO_PASSWORD = {};
    /** A key in PKCS #8, without a password. */
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----", Pattern.DOTALL);

    private Tls() {}

    /** Returns a context with the options' authority and certificate; without them, the system's. */
    static SSLContext context(PublisherOptions options) throws IOException, GeneralSecurityException {
        if (options.context != null) {
            return options.context;
        }
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore authorities = null; // The system's.
        if (options.authority != null) {
            authorities = emptyStore();
            for (Certificate one : certificates(options.authority)) {
                authorities.setCertificateEntry("authority" + authorities.size(), one);
            }
        }
        trusted.init(authorities);
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore keys = emptyStore();
        if (options.certificate != null) {
            Certificate[] chain = certificates(options.certificate);
            PrivateKey key = privateKey(options.key, chain[0].getPublicKey().getAlgorithm());
            keys.setKeyEntry("own", key, NO_PASSWORD, chain);
        }
        own.init(keys, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private static Certificate[] certificates(Path path) throws IOException, GeneralSecurityException {
        var pem = new ByteArrayInputStream(Files.readAllBytes(path));
        var all = CertificateFactory.getInstance("X.509").generateCertificates(pem);
        if (all.isEmpty()) {
            throw new GeneralSecurityException(path + " has no certificate");
        }
        return all.toArray(new Certificate[0]);
    }

    private static PrivateKey privateKey(Path path, String algorithm) throws IOException, GeneralSecurityException {
        Matcher pem = KEY.matcher(Files.readString(path));
        if (!pem.find()) {
            throw new GeneralSecurityException(path + " has no key in PKCS #8 without a password");
        }
        byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
    }

    /** Begins TLS on a connected socket, and checks that the certificate is for the host. */
    static SSLSocket connect(SSLContext context, Socket socket, String host, int port) throws IOException {
        var secured = (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"rr/1"});
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }
}
