package io.github.reloadrouter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;

/**
 * The connection of a publisher to its router: makes it again when it is lost, passes frames.
 *
 * <p>One thread connects, reads and calls the listener; the other writes, because a blocking socket
 * keeps a thread that reads. Its lock, that of this object, guards the queue, too. No thread has it
 * while it waits for the network, the disk or the listener.
 */
final class RouterConnection {
    private static final int BATCH_BYTES = 256 << 10;
    /** The most bytes of PONGs that wait to be sent. */
    private static final int MOST_CONTROL_BYTES = 64 << 10;
    /** How often the reader looks up from its socket, in milliseconds. */
    private static final int TICK = 100;

    private enum Phase { CLOSED, OPENING, OPEN, DRAINING }

    final PushQueue queue;
    private final PublisherOptions options;
    private final SSLContext context;
    private final Thread reader = new Thread(this::run, "reload-router-publisher");
    private final Thread writer = new Thread(this::write, "reload-router-writer");

    /** Why the publisher is over; null while it is not. */
    private volatile PublisherException end;
    /** Why the last connection, or attempt, has ended; null after WELCOME. The reader alone sets it. */
    private PublisherException loss;
    /** The reader alone sets it, too. */
    private Phase phase = Phase.CLOSED;
    private Socket socket;
    private OutputStream out;
    private final ByteArrayOutputStream control = new ByteArrayOutputStream();
    private boolean isWriterIdle;

    RouterConnection(PublisherOptions options) {
        this.options = options;
        try {
            context = options.isPlain ? null : Tls.context(options);
        } catch (IOException | GeneralSecurityException e) {
            throw new PublisherException("security", "TLS: " + e.getMessage(), e);
        }
        try {
            queue = new PushQueue(options);
        } catch (IOException e) {
            throw new PublisherException("outbox", "the outbox: " + e.getMessage(), e);
        }
    }

    void start() {
        for (Thread thread : List.of(reader, writer)) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Ends the connection and, unless a listener calls it, both threads. */
    void close() {
        end(new PublisherException("closed", "the publisher is closed", null));
        try {
            if (Thread.currentThread() != reader) {
                reader.join();
                writer.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // They end by themselves.
        }
    }

    // For those who publish, with the lock.

    synchronized void awaitSession(Duration limit) throws InterruptedException {
        if (!await(queue::hasSession, limit)) {
            check();
            throw new PublisherException(
                    "not-connected",
                    "no session with " + options.address() + " within " + limit.toMillis() + " ms: "
                            + (loss == null ? "no attempt has ended yet" : loss.getMessage()),
                    loss);
        }
    }

    /** Waits until something is so; false if the time or the publisher is over before. */
    boolean await(BooleanSupplier isSo, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!isSo.getAsBoolean()) {
            long left = deadline - System.nanoTime();
            if (end != null || left <= 0) {
                return false;
            }
            if (Thread.currentThread() == reader) {
                throw new IllegalStateException("a listener must not wait for its publisher");
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    /** Throws why the publisher is over, if it is. */
    void check() {
        if (end != null) {
            throw new PublisherException(end.code(), end.getMessage(), end);
        }
    }

    /** Has queued pushes sent. */
    void wake() {
        if (isWriterIdle) {
            isWriterIdle = false;
            notifyAll();
        }
    }

    // The end of a connection, and of all.

    private synchronized void end(PublisherException reason) {
        end = end == null ? reason : end;
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // It is closed for us nevertheless.
        }
        notifyAll();
    }

    /** Ends the publisher for good, and reports it. */
    private synchronized void fail(PublisherException reason) {
        if (end == null) {
            queue.events.add(new PublisherEvent.Failed(reason.code(), reason.getMessage()));
            end(reason);
        }
    }

    /** Reports the end of a connection; ends the publisher if another one is no use. */
    private void report(PublisherException lost) {
        boolean isLast = lost.retry.equals("no");
        if (end == null && loss == null && options.listener == null) {
            // Without the lock, because a log may take its time.
            System.getLogger("io.github.reloadrouter").log(
                    System.Logger.Level.WARNING,
                    "no session with " + options.address() + ": " + lost.getMessage()
                            + (isLast ? " (no further attempt)" : " (tried again)"));
        }
        synchronized (this) {
            phase = Phase.CLOSED;
            queue.rewind();
            if (end == null) {
                loss = lost;
                queue.events.add(new PublisherEvent.Disconnected(lost.code(), lost.retry, lost.getMessage()));
            }
            if (isLast) {
                fail(lost);
            }
        }
    }

    /** Calls the listener with the events so far, and then continues those who wait for that. */
    private void deliver() {
        List<PublisherEvent> events;
        synchronized (this) {
            events = List.copyOf(queue.events);
        }
        for (PublisherEvent event : options.listener == null ? List.<PublisherEvent>of() : events) {
            try {
                options.listener.accept(event);
            } catch (RuntimeException e) {
                reader.getUncaughtExceptionHandler().uncaughtException(reader, e);
            }
        }
        synchronized (this) {
            queue.events.subList(0, events.size()).clear();
            notifyAll();
        }
    }

    // The thread that connects and reads.

    private void run() {
        long longest = options.longestPause.toNanos();
        long pause = options.firstPause.toNanos();
        while (end == null) {
            PublisherException lost = visit();
            pause = hasSession() ? options.firstPause.toNanos() : pause;
            pause = lost.retry.equals("later") ? longest : Math.min(pause, longest);
            report(lost);
            deliver();
            pause(ThreadLocalRandom.current().nextLong(pause / 2, pause + 1));
            pause *= 2;
        }
        deliver();
    }

    private synchronized void pause(long nanos) {
        long deadline = System.nanoTime() + nanos;
        try {
            for (long left = nanos; end == null && left > 0; left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            // Only the end of the publisher ends its threads.
        }
    }

    /** Tries the router's addresses until one of them has a session; returns why that has ended. */
    private PublisherException visit() {
        try {
            PublisherException last = null;
            for (InetAddress address : InetAddress.getAllByName(options.host)) {
                last = connect(address);
                if (hasSession() || last.retry.equals("no")) {
                    break;
                }
            }
            return last;
        } catch (UnknownHostException e) {
            return lost(new IOException("unknown host: " + options.host, e));
        }
    }

    private boolean hasSession() { return phase == Phase.OPEN || phase == Phase.DRAINING; }

    /** Connects, and reads until the connection ends; returns why. */
    private PublisherException connect(InetAddress address) {
        try (Socket raw = new Socket()) {
            synchronized (this) {
                socket = raw;
                phase = Phase.OPENING;
                if (end != null) {
                    throw new IOException("the publisher is closed");
                }
            }
            int timeout = (int) Math.min(Integer.MAX_VALUE, options.attemptTimeout.toMillis());
            raw.setTcpNoDelay(true);
            raw.setSoTimeout(timeout);
            raw.connect(new InetSocketAddress(address, options.port), timeout);
            Socket secured = context == null ? raw : Tls.connect(context, raw, options.host, options.port);
            synchronized (this) {
                out = secured.getOutputStream();
                control.reset();
                addControl(Frames.hello(options.app, options.token, options.producer, options.wantsOutcomes,
                        queue.acked()));
            }
            secured.setSoTimeout(TICK);
            read(secured.getInputStream());
            throw new IOException("the router has closed the connection");
        } catch (PublisherException e) {
            return e;
        } catch (IOException | RuntimeException e) { // Of the network, of TLS, or of what the peer sends.
            return lost(e);
        } finally {
            synchronized (this) {
                socket = null;
                out = null;
            }
        }
    }

    private static PublisherException lost(Exception cause) {
        return new PublisherException(null, "reconnect", String.valueOf(cause.getMessage()), cause);
    }

    /** Reads until the peer ends the connection, or is silent for too long. */
    private void read(InputStream in) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Frames.MOST_BYTES);
        long heardAt = System.nanoTime();
        long pingedAt = heardAt;
        for (int count = 0; count >= 0; ) {
            Duration limit = phase == Phase.OPENING ? options.attemptTimeout : options.lostAfter;
            long now = System.nanoTime();
            if (now - heardAt >= limit.toNanos()) {
                throw new IOException("the router was silent for " + limit);
            }
            if (phase == Phase.OPEN && now - pingedAt >= options.pingAfter.toNanos()) {
                addControl(Frames.encode(Frames.PING, 0, ""));
                pingedAt = now;
            }
            try {
                count = in.read(bytes.array(), bytes.position(), bytes.remaining());
            } catch (SocketTimeoutException e) {
                sync(); // The writer may be busy with a router that takes nothing.
                continue;
            }
            if (count > 0) {
                receive(bytes.position(bytes.position() + count));
                pingedAt = System.nanoTime();
                heardAt = phase == Phase.OPENING ? heardAt : pingedAt;
            }
        }
    }

    /** Processes the whole frames at the front of a buffer, and keeps the rest in it. */
    private void receive(ByteBuffer bytes) throws IOException {
        bytes.flip();
        try {
            synchronized (this) {
                for (byte[] frame = Frames.next(bytes); frame != null; frame = Frames.next(bytes)) {
                    receive(frame);
                }
                notifyAll(); // There may be capacity, and the window may be open.
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the peer is probably no router: " + e.getMessage(), e);
        } finally {
            deliver();
        }
        bytes.compact();
    }

    private void receive(byte[] frame) throws IOException {
        int type = Frames.type(frame);
        long seq = Frames.seq(frame);
        switch (type) {
            case Frames.PING -> addControl(Frames.encode(Frames.PONG, seq, ""));
            case Frames.PONG -> { }
            case Frames.WELCOME -> {
                if (phase != Phase.OPENING) {
                    throw new IOException("a second WELCOME came");
                }
                queue.welcomed(body(frame));
                loss = null;
                phase = Phase.OPEN;
            }
            case Frames.ACK -> {
                boolean hasCount = frame.length >= Frames.HEADER_BYTES + Integer.BYTES;
                int count = hasCount ? ByteBuffer.wrap(frame).getInt(Frames.HEADER_BYTES) : 0;
                queue.acknowledged(seq, Integer.toUnsignedLong(count));
            }
            case Frames.REJECT -> queue.refused(seq, body(frame));
            case Frames.OUTCOME -> queue.events.add(new PublisherEvent.Outcome(seq, body(frame)));
            case Frames.GOAWAY -> phase = phase == Phase.OPEN ? Phase.DRAINING : phase;
            case Frames.ERROR -> {
                String retry = Json.text(body(frame), "retry");
                String code = Json.text(body(frame), "code");
                boolean isKnown = retry.equals("later") || retry.equals("reconnect");
                String message = code + ": " + Json.text(body(frame), "message");
                throw new PublisherException(code, isKnown ? retry : "no", message, null);
            }
            default -> {
                if (type < Frames.FIRST_IGNORED) {
                    throw new IOException("frames of type " + type + " are not for a publisher");
                }
            }
        }
    }

    private static Map<String, Object> body(byte[] frame) {
        return Json.object(Frames.body(frame));
    }

    private synchronized void addControl(byte[] frame) throws IOException {
        if (control.size() > MOST_CONTROL_BYTES) {
            throw new IOException("PINGs come faster than their PONGs can be sent");
        }
        control.writeBytes(frame);
        wake();
    }

    // The thread that writes.

    /** Sends what is due, which is on the disk before, until the publisher is over. */
    private void write() {
        ByteArrayOutputStream batch = new ByteArrayOutputStream(BATCH_BYTES);
        while (end == null) {
            OutputStream to = take(batch);
            sync();
            try {
                if (to != null) {
                    batch.writeTo(to);
                    to.flush();
                }
            } catch (IOException | RuntimeException e) {
                // The reader sees the end of the connection, and before it an ERROR that says why.
                synchronized (this) {
                    out = out == to ? null : out;
                }
            }
        }
    }

    /** Waits for something to do; returns where a batch is to be written, null if it is empty. */
    private synchronized OutputStream take(ByteArrayOutputStream batch) {
        batch.reset();
        while (end == null) {
            if (out != null) {
                batch.writeBytes(control.toByteArray());
                control.reset();
                if (phase == Phase.OPEN) {
                    queue.take(batch, BATCH_BYTES);
                }
            }
            if (batch.size() > 0 || queue.outbox.isDirty()) {
                return out;
            }
            isWriterIdle = true;
            try {
                wait();
            } catch (InterruptedException e) {
                // Only the end of the publisher ends its threads.
            }
        }
        return null;
    }

    /** Has what was accepted before on the disk; called without the lock. */
    private void sync() {
        try {
            queue.outbox.sync();
        } catch (IOException e) {
            fail(new PublisherException("outbox", "the outbox: " + e.getMessage(), e));
        }
    }
}
