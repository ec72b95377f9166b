package io.github.reloadrouter;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A file with the pushes that are not settled, for a process that ends before they are: frames of
 * the protocol, a HELLO that names the producer and then PUSHes, as in the libraries for Go and
 * Node.js. It is emptied when all are settled; those that are settled before are not sent again,
 * because WELCOME says what the router has. A frame that was not written to its end is cut off.
 * Without a path it keeps nothing.
 */
final class Outbox implements Closeable {
    private final RandomAccessFile file;
    private final byte[] hello;
    private long size;
    private volatile boolean isDirty;
    private IOException failed;

    /** Opens a file, and passes each push in it to a queue. */
    Outbox(Path path, String app, String producer, Consumer<byte[]> queue) throws IOException {
        hello = Frames.hello(app, null, producer, false, null);
        // Not a channel: an interrupt of a thread that uses one closes it for all.
        file = path == null ? null : new RandomAccessFile(path.toFile(), "rw");
        try {
            if (path != null) {
                lock(path);
                load(path, queue);
            }
        } catch (IOException | RuntimeException e) {
            closeFile();
            throw e;
        }
    }

    private void closeFile() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /** The length of the file in bytes. */
    long size() { return size; }

    /** Appends a frame. When it returns, the end of this process does not lose the frame. */
    void append(byte[] frame) throws IOException {
        if (file == null) {
            return;
        }
        try {
            file.write(frame);
        } catch (IOException e) {
            truncate(size); // A part may have been written.
            throw e;
        }
        size += frame.length;
        isDirty = true;
    }

    /** Drops all pushes, because they are settled. */
    void empty() throws IOException {
        if (size > hello.length) {
            truncate(hello.length);
        }
    }

    /** Whether something is not on the disk yet. */
    boolean isDirty() { return isDirty; }

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
        try {
            sync();
        } finally {
            closeFile();
        }
    }

    private void lock(Path path) throws IOException {
        boolean isFree;
        try {
            isFree = file.getChannel().tryLock() != null;
        } catch (OverlappingFileLockException e) {
            isFree = false; // It is this process that has it.
        }
        if (!isFree) {
            throw new IOException(path + " is the outbox of another publisher");
        }
    }

    private void load(Path path, Consumer<byte[]> queue) throws IOException {
        byte[] all = new byte[Math.toIntExact(file.length())];
        file.readFully(all);
        int start = Math.min(all.length, hello.length);
        if (!Arrays.equals(all, 0, start, hello, 0, start)) {
            throw new IOException(path + " is not the outbox of this app and producer");
        }
        ByteBuffer bytes = ByteBuffer.wrap(all).position(start);
        try {
            for (byte[] frame = Frames.next(bytes); frame != null; frame = Frames.next(bytes)) {
                if (Frames.type(frame) == Frames.PUSH) { // Earlier versions wrote others, too.
                    queue.accept(frame);
                }
            }
        } catch (IllegalArgumentException e) {
            // Bytes that are no frame were not written to their end, either.
        }
        truncate(start < hello.length ? 0 : bytes.position());
        if (size == 0) {
            append(hello);
        }
    }

    private void truncate(long length) throws IOException {
        file.setLength(length);
        file.seek(length);
        size = length;
    }
}
