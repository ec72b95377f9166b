package io.github.reloadrouter;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A file with the pushes that are not settled, for a process that ends before they are.
 *
 * <p>It consists of the protocol's frames: a HELLO that names the producer, PUSHes, REJECTs of some
 * of them, and ACKs that say up to which push all are settled. It is emptied when all pushes are
 * settled. A frame that was not written to its end when the process or the machine stopped is cut
 * off.
 */
final class Outbox implements Closeable {
    private final RandomAccessFile file;
    private final byte[] hello;
    private long size;
    private long settled;
    private boolean isNew = true;
    private volatile boolean isDirty;

    /** Opens a file, and adds the pushes in it that are not settled to a queue. */
    Outbox(Path path, String app, String producer, PushQueue queue) throws IOException {
        // Not a channel: an interrupt of a thread that uses one closes it for all.
        file = new RandomAccessFile(path.toFile(), "rw");
        Map<String, Object> names = new LinkedHashMap<>();
        names.put("v", 1);
        names.put("role", "publisher");
        names.put("app", app);
        names.put("producer", producer);
        hello = Frames.encode(Frames.HELLO, 0, Json.write(names));
        try {
            if (!isLocked()) {
                throw new IOException(path + " is the outbox of another publisher");
            }
            load(path, queue);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Whether the file does not say yet which number the next push gets. */
    boolean isNew() {
        return isNew;
    }

    /** The length of the file in bytes. */
    long size() {
        return size;
    }

    /** Appends a PUSH. When it returns, the end of this process does not lose the push. */
    void append(byte[] frame) throws IOException {
        write(frame);
    }

    /** Records that a push is rejected, before the others up to it are settled. */
    void reject(long seq) throws IOException {
        write(Frames.encode(Frames.REJECT, 0, seq));
    }

    /** Records that all pushes up to a number are settled; empties the file if these are all. */
    void settle(long seq, boolean areAll) throws IOException {
        if (areAll && (isNew || seq != settled || size > hello.length + Frames.HEADER_BYTES)) {
            truncate(0);
            write(hello);
        } else if (seq == settled) {
            return;
        }
        write(Frames.encode(Frames.ACK, 0, seq));
        settled = seq;
        isNew = false;
    }

    /** Returns when what was appended before is on the disk. */
    synchronized void sync() throws IOException {
        if (isDirty) {
            isDirty = false;
            try {
                file.getFD().sync();
            } catch (IOException e) {
                isDirty = true;
                throw e;
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private boolean isLocked() throws IOException {
        try {
            FileLock lock = file.getChannel().tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private void write(byte[] frame) throws IOException {
        try {
            file.write(frame);
        } catch (IOException e) {
            truncate(size); // A part may have been written.
            throw e;
        }
        size += frame.length;
        isDirty = true;
    }

    private void truncate(long length) throws IOException {
        file.setLength(length);
        file.seek(length);
        size = length;
    }

    private void load(Path path, PushQueue queue) throws IOException {
        byte[] bytes = new byte[Math.toIntExact(file.length())];
        file.readFully(bytes);
        int offset = 0;
        int length = Frames.length(bytes, offset, bytes.length);
        while (length > 0 && length <= bytes.length - offset) {
            load(path, queue, Arrays.copyOfRange(bytes, offset, offset + length), offset);
            offset += length;
            length = Frames.length(bytes, offset, bytes.length);
        }
        if (offset == 0 && !Arrays.equals(bytes, Arrays.copyOf(hello, bytes.length))) {
            throw new IOException(path + " is not an outbox");
        }
        if (settled < queue.next()) {
            queue.settle(settled);
        }
        truncate(offset);
        if (offset == 0) {
            write(hello);
        }
    }

    private void load(Path path, PushQueue queue, byte[] frame, int offset) throws IOException {
        long seq = Frames.seq(frame, 0);
        int type = frame[4];
        if (offset == 0) {
            if (!Arrays.equals(frame, hello)) {
                throw new IOException(path + " is not the outbox of this app and producer");
            }
        } else if (type == Frames.ACK) {
            isNew = false;
            settled = seq;
            if (seq >= queue.next()) {
                queue.settle(seq);
            }
        } else if (type == Frames.REJECT) {
            queue.reject(seq);
        } else if (type == Frames.PUSH && seq == queue.next()) {
            isNew = false;
            queue.append(frame);
        } else {
            throw new IOException(path + " is damaged at byte " + offset);
        }
    }
}
