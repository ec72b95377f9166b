package io.github.reloadrouter;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A file with the pushes that are not settled, for a process that ends before they are: frames of the protocol, a
 * HELLO that names the producer and then PUSHes. It is emptied when all are settled; those that are settled before
 * are not sent again, because WELCOME says what the router has. A frame that was not written to its end is cut off.
 * Without a path it keeps nothing.
 */
final class Outbox implements Closeable {
    private final RandomAccessFile file;
    private final Frame hello;
    /** The length of the file in bytes. */
    long size;
    /** Whether something is not on the disk yet. */
    volatile boolean isDirty;
    private IOException failed;

    /** Opens the file that the options name, and passes each push in it to a queue. */
    Outbox(PublisherOptions options, Consumer<Frame> queue) throws IOException {
        hello = Frame.hello(options, "");
        // Not a channel: an interrupt of a thread that uses one closes it for all.
        file = options.outbox == null ? null : new RandomAccessFile(options.outbox.toFile(), "rw");
        try {
            if (file != null) {
                lock();
                load(queue);
            }
        } catch (IOException | RuntimeException e) {
            file.close();
            throw new IOException(options.outbox + ": " + e.getMessage(), e);
        }
    }

    private void lock() throws IOException {
        try {
            if (file.getChannel().tryLock() != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            // It is this process that has it.
        }
        throw new IOException("it is the outbox of another publisher");
    }

    private void load(Consumer<Frame> queue) throws IOException {
        byte[] all = new byte[Math.toIntExact(file.length())];
        file.readFully(all);
        int start = Math.min(all.length, hello.size());
        if (!Arrays.equals(all, 0, start, hello.bytes(), 0, start)) {
            throw new IOException("it is not the outbox of this app and producer");
        }
        long end = start;
        try (var in = new DataInputStream(new ByteArrayInputStream(all, start, all.length - start))) {
            while (end < all.length) {
                Frame frame = Frame.read(in);
                end += frame.size();
                if (frame.type() == Frame.PUSH) { // Earlier versions wrote others, too.
                    queue.accept(frame);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // What is no frame, or no whole one, was not written to its end.
        }
        truncate(start < hello.size() ? 0 : end);
        if (size == 0) {
            append(hello);
        }
    }

    /** Appends a frame. When it returns, the end of this process does not lose the frame. */
    void append(Frame frame) throws IOException {
        if (file == null) {
            return;
        }
        try {
            file.write(frame.bytes());
        } catch (IOException e) {
            truncate(size); // A part may have been written.
            throw e;
        }
        size += frame.size();
        isDirty = true;
    }

    /** Drops all pushes, because they are settled. */
    void empty() throws IOException {
        if (size > hello.size()) {
            truncate(hello.size());
        }
    }

    private void truncate(long length) throws IOException {
        file.setLength(length);
        file.seek(length);
        size = length;
    }

    /** Returns when what was appended before is on the disk. */
    synchronized void sync() throws IOException {
        if (failed != null) {
            throw failed;
        }
        if (!isDirty) {
            return;
        }
        isDirty = false;
        try {
            file.getFD().sync();
        } catch (IOException e) {
            failed = e; // A second call may succeed although the bytes are lost.
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            sync();
        }
    }
}
