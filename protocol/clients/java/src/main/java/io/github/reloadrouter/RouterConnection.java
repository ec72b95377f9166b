package io.github.reloadrouter;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLContext;

/**
 * The connection of a publisher to its router: makes it again when it is lost, passes frames.
 *
 * <p>Two threads serve it: one connects and reads, the other writes while a socket is open. Neither
 * holds the publisher's lock while it waits for the network or the disk.
 */
final class RouterConnection {
    private static final int BATCH_BYTES = 256 << 10;
    /** The most bytes of PONGs that wait to be sent. */
    private static final int MOST_CONTROL_BYTES = 64 << 10;

    private enum Phase { CLOSED, OPENING, OPEN, DRAINING }

    /** Why a connection, or an attempt to make one, has ended. */
    static final class Loss extends IOException {
        private static final long serialVersionUID = 1;
        final String code;
        final String retry;

        Loss(String code, String retry, String message) {
            super(message);
            this.code = code;
            this.retry = retry;
        }
    }

    private final PublisherOptions options;
    private final Publisher publisher;
    private final Object lock;
    private final SSLContext context;
    private final Thread thread = new Thread(this::run, "reload-router-publisher");

    // What follows is guarded by the lock. Only the thread that reads changes the phase.
    private Phase phase = Phase.CLOSED;
    private Socket socket;
    private final ByteArrayOutputStream control = new ByteArrayOutputStream();
    private long window;
    private boolean isWriterIdle;

    RouterConnection(PublisherOptions options, Publisher publisher, Object lock)
            throws IOException, GeneralSecurityException {
        this.options = options;
        this.publisher = publisher;
        this.lock = lock;
        if (options.isPlain) {
            context = null;
        } else if (options.context != null) {
            context = options.context;
        } else {
            context = Tls.context(options.authority, options.certificate, options.key);
        }
    }

    Thread thread() {
        return thread;
    }

    /** Has queued pushes sent; called with the lock. */
    void wake() {
        if (isWriterIdle) {
            isWriterIdle = false;
            lock.notifyAll();
        }
    }

    /** Closes the connection if there is one, and ends all waiting; called with the lock. */
    void disconnect() {
        close(socket);
        lock.notifyAll();
    }

    // The thread that connects and reads.

    private void run() {
        long longest = options.longestPause.toNanos();
        long pause = options.firstPause.toNanos();
        do {
            Loss loss = visit();
            synchronized (lock) {
                pause = isEstablished() ? options.firstPause.toNanos() : pause;
                phase = Phase.CLOSED;
                publisher.queue().rewind();
                publisher.lost(loss);
            }
            publisher.deliver();
            pause = loss.retry.equals("later") ? longest : Math.min(pause, longest);
            long random = ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
            pause *= 2;
            publisher.pause(random);
        } while (!publisher.isOver());
    }

    /** Tries the router's addresses until one of them has a session, which then has ended. */
    private Loss visit() {
        Loss loss = null;
        try {
            for (InetAddress address : InetAddress.getAllByName(options.host)) {
                try {
                    connect(address);
                } catch (Loss e) {
                    loss = e;
                } catch (IOException | RuntimeException e) {
                    loss = new Loss(null, "reconnect", String.valueOf(e.getMessage()));
                }
                if (isEstablished() || loss.retry.equals("no")) {
                    return loss;
                }
            }
        } catch (IOException e) {
            loss = new Loss(null, "reconnect", "unknown host: " + options.host);
        }
        return loss;
    }

    private boolean isEstablished() {
        return phase == Phase.OPEN || phase == Phase.DRAINING;
    }

    private void connect(InetAddress address) throws IOException {
        try (Socket raw = new Socket()) {
            synchronized (lock) {
                if (publisher.isOver()) {
                    throw new Loss(null, "reconnect", "the publisher is closed");
                }
                socket = raw;
                control.reset();
                control.writeBytes(hello(options, publisher.acked()));
                phase = Phase.OPENING;
            }
            int timeout = (int) Math.min(Integer.MAX_VALUE, options.attemptTimeout.toMillis());
            raw.setTcpNoDelay(true);
            raw.setSoTimeout(timeout);
            raw.connect(new InetSocketAddress(address, options.port), timeout);
            Socket secured =
                    context == null ? raw : Tls.connect(context, raw, options.host, options.port);
            OutputStream out = secured.getOutputStream();
            Thread writer = new Thread(() -> write(raw, out), "reload-router-writer");
            writer.setDaemon(true);
            writer.start();
            read(secured);
        } finally {
            synchronized (lock) {
                socket = null; // The writer ends by itself.
                wake();
            }
        }
    }

    /** Returns the frame that opens a session. */
    static byte[] hello(PublisherOptions options, long acked) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("v", 1);
        members.put("role", "publisher");
        members.put("app", options.app);
        if (options.token != null) {
            members.put("token", options.token);
        }
        members.put("producer", options.producer);
        if (options.wantsOutcomes) {
            members.put("outcomes", true);
        }
        members.put("acked", acked);
        return Frames.encode(Frames.HELLO, 0, Json.write(members));
    }

    /** Reads until the connection ends, and sends PING when it is due. */
    private void read(Socket secured) throws IOException {
        InputStream in = secured.getInputStream();
        byte[] bytes = new byte[64 << 10];
        int end = 0;
        long heardAt = System.nanoTime();
        long askedAt = heardAt;
        while (true) {
            long now = System.nanoTime();
            Duration limit = phase == Phase.OPENING ? options.attemptTimeout : options.lostAfter;
            long left = heardAt + limit.toNanos() - now;
            if (left <= 0) {
                throw new SocketTimeoutException("the router was silent for " + limit);
            }
            if (phase == Phase.OPEN && askedAt + options.pingAfter.toNanos() <= now) {
                addControl(Frames.PING, 0);
                askedAt = now;
            }
            if (phase == Phase.OPEN) {
                left = Math.min(left, askedAt + options.pingAfter.toNanos() - now);
            }
            secured.setSoTimeout((int) Math.min(Integer.MAX_VALUE, left / 1_000_000 + 1));
            int count;
            try {
                count = in.read(bytes, end, bytes.length - end);
            } catch (SocketTimeoutException e) {
                continue;
            }
            if (count < 0) {
                throw new EOFException("the router has closed the connection");
            }
            end += count;
            int used;
            try {
                synchronized (lock) {
                    used = receive(bytes, end);
                }
            } finally {
                publisher.deliver();
            }
            if (phase != Phase.OPENING) {
                heardAt = System.nanoTime();
                askedAt = heardAt;
            }
            int needed = Math.max(Frames.length(bytes, used, end), 64 << 10);
            byte[] target = needed > bytes.length ? new byte[needed] : bytes;
            System.arraycopy(bytes, used, target, 0, end - used);
            bytes = target;
            end -= used;
        }
    }

    /** Processes the whole frames at the front of some bytes; returns their length. */
    private int receive(byte[] bytes, int end) throws IOException {
        int offset = 0;
        while (true) {
            int length = Frames.length(bytes, offset, end);
            if (length < 0) {
                throw new IOException("the peer sends no frames; it is probably not a router");
            } else if (length == 0 || length > end - offset) {
                return offset;
            }
            receive(bytes, offset, length);
            offset += length;
        }
    }

    private void receive(byte[] bytes, int offset, int length) throws IOException {
        int type = bytes[offset + 4] & 0xff;
        long seq = Frames.seq(bytes, offset);
        switch (type) {
            case Frames.PING -> addControl(Frames.PONG, seq);
            case Frames.PONG -> { }
            case Frames.OUTCOME -> publisher.outcome(seq, outcome(bytes, offset, length));
            case Frames.WELCOME -> welcomed(body(bytes, offset, length));
            case Frames.ACK -> {
                checkSent(seq);
                boolean hasCount = length >= Frames.HEADER_BYTES + Integer.BYTES;
                publisher.acknowledged(
                        seq, hasCount ? Integer.toUnsignedLong(Frames.count(bytes, offset)) : 0);
                wake();
            }
            case Frames.REJECT -> {
                checkSent(seq);
                Map<?, ?> body = body(bytes, offset, length);
                String message = Json.text(body, "message", "");
                publisher.refused(seq, Json.text(body, "code", ""), message);
                wake();
            }
            case Frames.GOAWAY -> phase = phase == Phase.OPEN ? Phase.DRAINING : phase;
            case Frames.ERROR -> {
                Map<?, ?> body = body(bytes, offset, length);
                String retry = Json.text(body, "retry", "no");
                boolean isKnown = retry.equals("later") || retry.equals("reconnect");
                String code = Json.text(body, "code", "");
                throw new Loss(
                        code, isKnown ? retry : "no", code + ": " + Json.text(body, "message", ""));
            }
            default -> {
                if (type < Frames.FIRST_IGNORED) {
                    throw new IOException("frames of type " + type + " are not for a publisher");
                }
            }
        }
    }

    private void checkSent(long seq) throws IOException {
        if (phase == Phase.OPENING || seq >= publisher.queue().unsent()) {
            throw new IOException("the router answers push " + seq + ", which was not sent");
        }
    }

    private void welcomed(Map<?, ?> body) throws IOException {
        if (phase != Phase.OPENING) {
            throw new IOException("a second WELCOME came");
        }
        window = Math.max(1, Json.number(body, "window", 1));
        publisher.welcomed(body);
        phase = Phase.OPEN;
        wake();
    }

    static Map<?, ?> body(byte[] bytes, int offset, int length) throws IOException {
        String text = new String(
                bytes,
                offset + Frames.HEADER_BYTES,
                length - Frames.HEADER_BYTES,
                StandardCharsets.UTF_8);
        try {
            if (Json.parse(text) instanceof Map<?, ?> body) {
                return body;
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the router sends what is not JSON", e);
        }
        throw new IOException("the router sends JSON that is not an object");
    }

    /** Returns the body of an OUTCOME. */
    @SuppressWarnings("unchecked") // Objects are read with texts as keys.
    private static Map<String, Object> outcome(byte[] bytes, int offset, int length)
            throws IOException {
        return (Map<String, Object>) body(bytes, offset, length);
    }

    private void addControl(int type, long seq) throws IOException {
        synchronized (lock) {
            if (control.size() > MOST_CONTROL_BYTES) {
                throw new IOException("PINGs come faster than their PONGs can be sent");
            }
            control.writeBytes(Frames.encode(type, seq, ""));
            wake();
        }
    }

    // The thread that writes.

    private void write(Socket mine, OutputStream out) {
        ByteArrayOutputStream batch = new ByteArrayOutputStream(BATCH_BYTES);
        try {
            while (next(mine, batch)) {
                publisher.syncOutbox();
                batch.writeTo(out);
                out.flush();
                batch.reset();
            }
        } catch (IOException | RuntimeException e) {
            // The reader sees the end of the connection, and before it an ERROR that says why.
        } catch (InterruptedException e) {
            close(mine); // Nothing of this library does that; then the connection is made anew.
        }
    }

    /** Waits for what is due; false if the connection is over. */
    private boolean next(Socket mine, ByteArrayOutputStream batch) throws InterruptedException {
        synchronized (lock) {
            while (socket == mine && !publisher.isOver()) {
                batch.writeBytes(control.toByteArray());
                control.reset();
                if (phase == Phase.OPEN) {
                    publisher.countSent(publisher.queue().take(batch, window, BATCH_BYTES));
                }
                if (batch.size() > 0) {
                    return true;
                }
                isWriterIdle = true;
                lock.wait();
            }
            return false;
        }
    }

    private static void close(Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // It is closed for us nevertheless.
        }
    }
}
