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
    /** HOST, HOST:PORT or [IPv6]:PORT; a bare IPv6 address has more colons. */
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([^\\]]+)\\]|([^:/@\\[\\]\\s]+))(?::([0-9]{1,5}))?");

    final String host;
    final String app;
    final String producer;
    int port = 7410;
    private boolean hasNamedPort;
    boolean wantsOutcomes;
    Duration connectLimit = Duration.ofSeconds(10);
    String token;
    boolean isPlain;
    Path authority;
    Path certificate;
    Path key;
    SSLContext context;
    Path outbox;
    int queuedPushes = 8_192;
    long queuedBytes = 16 << 20;
    long outboxBytes = 256 << 20;
    Duration attemptTimeout = Duration.ofSeconds(10);
    Duration pingAfter = Duration.ofSeconds(15);
    Duration lostAfter = Duration.ofSeconds(45);
    Duration firstPause = Duration.ofMillis(100);
    Duration longestPause = Duration.ofSeconds(5);
    Consumer<PublisherEvent> listener;

    private PublisherOptions(String host, String app, String producer) {
        boolean isBare = host.indexOf(':') != host.lastIndexOf(':') && isIPv6(host);
        Matcher parts = ADDRESS.matcher(host);
        if (!isBare && (!parts.matches() || parts.group(1) != null && !isIPv6(parts.group(1)))) {
            throw new IllegalArgumentException(
                    '"' + host + "\" is no address of a router: HOST, HOST:PORT or [IPv6]:PORT");
        }
        this.host = isBare ? host : parts.group(parts.group(1) == null ? 2 : 1);
        if (!isBare && parts.group(3) != null) {
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
     * Returns options with their defaults: TLS, port 7410, the authorities of the system, no token,
     * no outbox.
     *
     * @param host a name or an address of the router; {@code HOST:PORT} and {@code [IPv6]:PORT} are
     *     understood, too
     * @param app the app that the pushes are for
     * @param producer the stable name of this stream of pushes; only one publisher may use it
     */
    public static PublisherOptions of(String host, String app, String producer) {
        return new PublisherOptions(host, app, producer);
    }

    /** Returns the host and the port as one address. */
    String address() { return (host.contains(":") ? "[" + host + "]" : host) + ":" + port; }

    /** Sets another port than 7410; it must not contradict that of the host. */
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

    /** Sets how long {@link Publisher#connect} waits for the first session. */
    public PublisherOptions connectLimit(Duration value) {
        connectLimit = positive(value);
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

    /** Sets how long connecting may take, for each address, and then the router's WELCOME. */
    public PublisherOptions attemptTimeout(Duration value) {
        attemptTimeout = positive(value);
        return this;
    }

    /** Sets the silence after which PING is sent, and that after which the connection is lost. */
    public PublisherOptions silence(Duration ping, Duration lost) {
        pingAfter = positive(ping);
        lostAfter = positive(lost);
        return this;
    }

    /** Sets the pauses before reconnects: each is a random time from half of it to all of it. */
    public PublisherOptions pauses(Duration first, Duration longest) {
        firstPause = positive(first);
        longestPause = positive(longest);
        return this;
    }

    /**
     * Sets what is called with each event, on the publisher's own thread. It must return soon, and
     * must not call {@code push} or {@code flush}; {@code tryPush} and {@code close} are allowed.
     * Without it, the first failure of a row is logged as a warning ({@link System.Logger}).
     */
    public PublisherOptions onEvent(Consumer<PublisherEvent> value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    private static Duration positive(Duration value) {
        positive(value.toMillis());
        return value;
    }

    private static long positive(long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(value + " is not positive");
        }
        return value;
    }
}
