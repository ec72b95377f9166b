package io.github.reloadrouter;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * The connection of a publisher to its router: makes it again when it is lost, passes frames.
 *
 * <p>Three threads serve it: one connects and reads, one writes while a socket is open, and one
 * watches for silence. None holds the publisher's lock while it waits for the network or the disk.
 */
final class RouterConnection {
    private static final int BATCH_BYTES = 256 << 10;
    /** The most bytes of PONGs that wait to be sent. */
    private static final int MOST_CONTROL_BYTES = 64 << 10;

    private enum Phase { AWAITING_WELCOME, ESTABLISHED, DRAINING, OVER }

    /** Why a connection, or an attempt to make one, has ended. */
    private static final class Loss extends IOException {
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
    private final SSLContext context;
    private final ReentrantLock lock;
    /** Signalled when there may be something to be sent. */
    private final Condition work;
    /** Signalled when the publisher ends. */
    private final Condition over;
    private final Thread thread = new Thread(this::run, "reload-router-publisher");
    private final Thread watch = new Thread(this::watch, "reload-router-watch");

    // What follows is guarded by the lock.
    private Phase phase = Phase.OVER;
    private Socket socket;
    private byte[] control = {};
    private long window;
    private boolean isWriterIdle;
    private long heardAt;
    private long pingAt;
    private Duration pause;

    RouterConnection(PublisherOptions options, Publisher publisher, ReentrantLock lock)
            throws IOException, GeneralSecurityException {
        this.options = options;
        this.publisher = publisher;
        this.lock = lock;
        work = lock.newCondition();
        over = lock.newCondition();
        pause = options.firstPause;
        if (options.isPlain) {
            context = null;
        } else if (options.context != null) {
            context = options.context;
        } else {
            context = Tls.context(options.authority, options.certificate, options.key);
        }
    }

    void start() {
        thread.setDaemon(true);
        watch.setDaemon(true);
        thread.start();
        watch.start();
    }

    /** Waits until all threads have ended, which the end of the publisher makes them do. */
    void stop() {
        boolean wasInterrupted = false;
        for (Thread one : new Thread[] {thread, watch}) {
            while (one.isAlive() && one != Thread.currentThread()) {
                try {
                    one.join();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Has queued pushes sent; called with the lock. */
    void wake() {
        if (isWriterIdle) {
            isWriterIdle = false;
            work.signalAll();
        }
    }

    /** Closes the connection if there is one, which ends all waiting for it. */
    void disconnect() {
        Socket open;
        lock.lock();
        try {
            open = socket;
            work.signalAll();
            over.signalAll();
        } finally {
            lock.unlock();
        }
        close(open);
    }

    // The thread that connects and reads.

    private void run() {
        while (true) {
            Loss loss = visit();
            locked(() -> publisher.lost(loss.code, loss.retry, loss.getMessage()));
            if (loss.retry.equals("no")) {
                publisher.fail(loss.code, loss.getMessage());
            }
            publisher.deliver();
            if (!pause(loss)) {
                publisher.deliver();
                return;
            }
        }
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
                if (close() || loss.retry.equals("no")) {
                    return loss;
                }
            }
        } catch (IOException e) {
            loss = new Loss(null, "reconnect", "unknown host: " + options.host);
        }
        return loss;
    }

    private void connect(InetAddress address) throws IOException {
        Socket raw = new Socket();
        locked(() -> {
            socket = raw;
            control = hello(options, publisher.settled());
            phase = Phase.AWAITING_WELCOME;
            heardAt = System.nanoTime() + options.attemptTimeout.toNanos();
        });
        Socket secured = raw;
        if (locked(publisher::isOver)) {
            throw new Loss(null, "reconnect", "the publisher is closed");
        }
        raw.setTcpNoDelay(true);
        int timeout = (int) Math.min(Integer.MAX_VALUE, options.attemptTimeout.toMillis());
        raw.connect(new InetSocketAddress(address, options.port), timeout);
        locked(() -> heardAt = System.nanoTime());
        if (context != null) {
            secured = Tls.connect(context, raw, options.host, options.port);
        }
        OutputStream out = secured.getOutputStream();
        Thread writer = new Thread(() -> write(out), "reload-router-writer");
        writer.setDaemon(true);
        writer.start();
        try {
            read(secured.getInputStream());
        } finally {
            close(raw);
            locked(() -> {
                if (phase == Phase.AWAITING_WELCOME) {
                    phase = Phase.OVER; // Else `close` has to know that there was a session.
                }
                isWriterIdle = false;
                socket = null;
                work.signalAll();
            });
            joinUninterruptibly(writer);
        }
    }

    private static void joinUninterruptibly(Thread writer) {
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                continue; // Only the end of the publisher ends this thread.
            }
        }
    }

    /** Ends what is left of a connection; returns whether it had a session. */
    private boolean close() {
        return locked(() -> {
            boolean hadSession = phase == Phase.ESTABLISHED || phase == Phase.DRAINING;
            phase = Phase.OVER;
            close(socket);
            socket = null;
            publisher.queue().rewind();
            return hadSession;
        });
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
        members.put("acked", acked);
        return Frames.encode(Frames.HELLO, 0, Json.write(members));
    }

    private void read(InputStream in) throws IOException {
        byte[] bytes = new byte[64 << 10];
        int end = 0;
        while (true) {
            int count = in.read(bytes, end, bytes.length - end);
            if (count < 0) {
                throw new EOFException("the router has closed the connection");
            }
            end += count;
            int used;
            lock.lock();
            try {
                heardAt = System.nanoTime();
                pingAt = heardAt + options.pingAfter.toNanos();
                used = receive(bytes, end);
            } finally {
                lock.unlock();
                publisher.deliver();
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
        long seq = Frames.getLong(bytes, offset + 8);
        switch (type) {
            case Frames.PING -> pong(seq);
            case Frames.PONG, Frames.OUTCOME -> { }
            case Frames.WELCOME -> welcomed(body(bytes, offset, length));
            case Frames.ACK -> {
                checkSent(seq);
                publisher.settle(seq);
                wake();
            }
            case Frames.REJECT -> {
                checkSent(seq);
                Map<?, ?> body = body(bytes, offset, length);
                String message = Json.text(body, "message", "");
                publisher.reject(seq, Json.text(body, "code", ""), message);
                wake();
            }
            case Frames.GOAWAY -> phase = phase == Phase.ESTABLISHED ? Phase.DRAINING : phase;
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
        if (phase == Phase.AWAITING_WELCOME || seq >= publisher.queue().unsent()) {
            throw new IOException("the router answers push " + seq + ", which was not sent");
        }
    }

    private void welcomed(Map<?, ?> body) throws IOException {
        if (phase != Phase.AWAITING_WELCOME) {
            throw new IOException("a second WELCOME came");
        }
        window = Math.max(1, Json.number(body, "window", 1));
        publisher.welcomed(body);
        phase = Phase.ESTABLISHED;
        pause = options.firstPause;
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

    private void pong(long seq) throws IOException {
        if (control.length > MOST_CONTROL_BYTES) {
            throw new IOException("PINGs come faster than their PONGs can be sent");
        }
        addControl(Frames.PONG, seq);
    }

    private void addControl(int type, long seq) {
        byte[] frame = Frames.encode(type, seq, "");
        byte[] all = Arrays.copyOf(control, control.length + frame.length);
        System.arraycopy(frame, 0, all, control.length, frame.length);
        control = all;
        wake();
    }

    /** Waits before the next attempt; false if the publisher has ended. */
    private boolean pause(Loss loss) {
        Duration longest = options.longestPause;
        lock.lock();
        try {
            if (loss.retry.equals("later")) {
                pause = longest;
            } else if (loss.code != null) {
                pause = options.firstPause;
            }
            long most = pause.toNanos();
            pause = pause.multipliedBy(2).compareTo(longest) > 0 ? longest : pause.multipliedBy(2);
            long left = ThreadLocalRandom.current().nextLong(most / 2, most + 1);
            while (left > 0 && !publisher.isOver()) {
                left = work.awaitNanos(left);
            }
            return !publisher.isOver();
        } catch (InterruptedException e) {
            return !publisher.isOver();
        } finally {
            lock.unlock();
        }
    }

    // The thread that writes.

    private void write(OutputStream out) {
        try {
            while (writeNext(out)) {
                continue;
            }
        } catch (IOException | RuntimeException e) {
            // The reader sees the end of the connection, and before it an ERROR that says why.
        }
    }

    /** Writes what is due, or waits for it; false if the connection is over. */
    private boolean writeNext(OutputStream out) throws IOException {
        byte[] bytes;
        int offset = 0;
        int length;
        lock.lock();
        try {
            PushQueue queue = publisher.queue();
            if (socket == null || publisher.isOver()) {
                return false;
            }
            int count = 0;
            if (control.length > 0) {
                bytes = control;
                length = control.length;
                control = new byte[0];
            } else if (phase == Phase.ESTABLISHED
                    && (count = queue.takeRun(window, BATCH_BYTES)) > 0) {
                bytes = queue.bytes();
                offset = queue.runOffset();
                length = queue.runLength();
                publisher.countSent(count);
            } else {
                isWriterIdle = true;
                work.awaitUninterruptibly();
                return true;
            }
        } finally {
            lock.unlock();
        }
        publisher.syncOutbox();
        out.write(bytes, offset, length);
        out.flush();
        return true;
    }

    // The thread that watches.

    private void watch() {
        long shortest = Math.min(options.pingAfter.toMillis(), options.lostAfter.toMillis());
        shortest = Math.min(shortest, options.attemptTimeout.toMillis());
        long period = Math.max(1, Math.min(500, shortest / 4));
        while (!waitUntilOver(period)) {
            if (locked(this::isSilent)) {
                disconnect();
            }
            publisher.syncOutbox();
        }
        disconnect();
    }

    /** Waits for a time at most; returns whether the publisher has ended. */
    private boolean waitUntilOver(long milliseconds) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(milliseconds);
            while (left > 0 && !publisher.isOver()) {
                left = over.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // Only the end of the publisher ends this thread.
        } finally {
            lock.unlock();
        }
        return locked(publisher::isOver);
    }

    /** Sends PING when it is due; returns whether the connection has been silent for too long. */
    private boolean isSilent() {
        publisher.tick();
        if (socket == null) {
            return false;
        }
        long now = System.nanoTime();
        boolean hasSession = phase == Phase.ESTABLISHED || phase == Phase.DRAINING;
        if (phase == Phase.ESTABLISHED && now - pingAt >= 0) {
            pingAt = now + options.pingAfter.toNanos();
            addControl(Frames.PING, 0);
        }
        Duration limit = hasSession ? options.lostAfter : options.attemptTimeout;
        return now - heardAt >= limit.toNanos();
    }

    // Helpers.

    private static void close(Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // It is closed for us nevertheless.
        }
    }

    private void locked(Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
