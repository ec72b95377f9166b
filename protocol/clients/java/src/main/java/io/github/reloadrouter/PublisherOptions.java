package io.github.reloadrouter;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** Where a publisher connects to, as whom, and its limits. All but the names have defaults. */
public final class PublisherOptions {
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([^\\]]+)\\]|([^:/@\\[\\]\\s]+))(?::([0-9]{1,5}))?");

    final String host, app, producer;
    int port = 7410;
    private boolean hasNamedPort;
    boolean isPlain, wantsOutcomes;
    String token, httpAddress;
    SSLContext context;
    Path authority, certificate, key, outbox;
    Duration connectLimit = Duration.ofSeconds(10);
    int queuedPushes = 8_192;
    long queuedBytes = 16 << 20;
    long outboxBytes = 256 << 20;
    /** How long connecting may take, for each address, and then the router's WELCOME; tests set other times. */
    Duration attemptTimeout = Duration.ofSeconds(10);
    /** The silence after which PING is sent, and that after which the connection is lost. */
    Duration pingAfter = Duration.ofSeconds(15);
    Duration lostAfter = Duration.ofSeconds(45);
    /** The pauses before reconnects: each is a random time from half of it to all of it. */
    Duration firstPause = Duration.ofMillis(100);
    Duration longestPause = Duration.ofSeconds(5);
    Consumer<PublisherEvent> listener;

    private PublisherOptions(String address, String app, String producer) {
        Matcher parts = ADDRESS.matcher(isIPv6(address) ? "[" + address + "]" : address);
        if (!parts.matches() || parts.group(1) != null && !isIPv6(parts.group(1))) {
            throw new IllegalArgumentException(
                    '"' + address + "\" is no address of a router: HOST, HOST:PORT or [IPv6]:PORT");
        }
        host = parts.group(parts.group(1) == null ? 2 : 1);
        if (parts.group(3) != null) {
            port(Integer.parseInt(parts.group(3)));
            hasNamedPort = true;
        }
        this.app = Objects.requireNonNull(app, "app");
        this.producer = Objects.requireNonNull(producer, "producer");
    }

    private static boolean isIPv6(String text) {
        try {
            // In brackets nothing is looked up.
            return text.contains(":") && InetAddress.getByName("[" + text + "]") != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /**
     * Returns options with their defaults: TLS, port 7410, the authorities of the system, no token, no outbox.
     *
     * @param address HOST, HOST:PORT or [IPv6]:PORT of the router
     * @param producer the stable name of this stream of pushes; only one publisher may use it
     */
    public static PublisherOptions of(String address, String app, String producer) {
        return new PublisherOptions(address, app, producer);
    }

    /** Returns the host and the port as one address. */
    String address() { return (host.contains(":") ? "[" + host + "]" : host) + ":" + port; }

    /** Sets another port than 7410; it must not contradict that of the address. */
    public PublisherOptions port(int value) {
        if (value < 1 || value > 65_535) {
            throw new IllegalArgumentException("the port " + value + " is not from 1 to 65535");
        }
        if (hasNamedPort && value != port) {
            throw new IllegalArgumentException("the address names the port " + port + ", not " + value);
        }
        port = value;
        return this;
    }

    /** Asks what becomes of each push; the answers are {@link PublisherEvent.Outcome}. */
    public PublisherOptions outcomes() {
        wantsOutcomes = true;
        return this;
    }

    /** Sets HOST:PORT of the router's listener for publishers over HTTP, which {@link Publisher#history} asks. */
    public PublisherOptions httpAddress(String value) {
        httpAddress = value;
        return this;
    }

    /** Sets how long {@link Publisher#connect} waits for the first session. */
    public PublisherOptions connectLimit(Duration value) {
        positive(value.toMillis());
        connectLimit = value;
        return this;
    }

    /** Sets the token that lets the publisher in. */
    public PublisherOptions token(String value) {
        token = value;
        return this;
    }

    /** Asks for plain TCP, without TLS: for tests, and for a router on the same machine. */
    public PublisherOptions plain() {
        isPlain = true;
        return this;
    }

    /** Trusts the authorities of a PEM file, in place of those of the system. */
    public PublisherOptions authority(Path pem) {
        authority = pem;
        return this;
    }

    /** Shows a certificate, with its chain and its key (PKCS #8), from PEM files. */
    public PublisherOptions certificate(Path chainPem, Path keyPem) {
        certificate = Objects.requireNonNull(chainPem, "chainPem");
        key = Objects.requireNonNull(keyPem, "keyPem");
        return this;
    }

    /** Sets a whole context of TLS, in place of {@code authority} and {@code certificate}. */
    public PublisherOptions tls(SSLContext value) {
        context = value;
        return this;
    }

    /** Keeps pushes in a file until they are settled, so that a crash of the sender loses none. */
    public PublisherOptions outbox(Path file) {
        outbox = file;
        return this;
    }

    /** Sets the length of the outbox from which on it accepts no push until it has been emptied. */
    public PublisherOptions outboxBytes(long most) {
        outboxBytes = positive(most);
        return this;
    }

    /** Limits the pushes without an answer. Beyond: {@code push} waits. */
    public PublisherOptions queuedPushes(int most) {
        queuedPushes = (int) positive(most);
        return this;
    }

    /** Limits the bytes of the pushes without an answer. Beyond: {@code push} waits. */
    public PublisherOptions queuedBytes(long most) {
        queuedBytes = Math.min(positive(most), 256 << 20);
        return this;
    }

    /**
     * Sets what is called with each event, on the publisher's own thread. It must return soon, and must not call {@code
     * push} or {@code flush}; {@code tryPush} and {@code close} are allowed. Without it, the first failure of a row is
     * logged as a warning ({@link System.Logger}).
     */
    public PublisherOptions onEvent(Consumer<PublisherEvent> value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    private static long positive(long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(value + " is not positive");
        }
        return value;
    }
}
