using System;
using System.IO;
using System.Linq;

namespace ReloadRouter.Client {
    /// <summary>
    /// A file with the pushes that are not settled, for a process that ends before they are: frames of
    /// the protocol, a HELLO that names the producer and then PUSHes, as in the libraries for Go and
    /// Node.js. It is emptied when all are settled; those that are settled before are not sent again,
    /// because WELCOME says what the router has. A frame that was not written to its end is cut off.
    /// Without a path it keeps nothing.
    /// </summary>
    internal sealed class Outbox : IDisposable {
        private readonly FileStream file;

        /// <summary>The same file for <c>Sync</c>, which other threads call.</summary>
        private readonly FileStream syncing;

        private readonly object syncGate = new object();
        private readonly byte[] hello;
        private volatile bool isDirty;
        private IOException failed;

        /// <summary>Opens a file, and passes each push in it to a queue: the file's bytes, offset, length.</summary>
        public Outbox(string path, string app, string producer, Action<byte[], int, int> queue) {
            hello = Frames.EncodeHello(app, null, producer, false, null);
            if (path == null) {
                return;
            }
            file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1);
            try {
                syncing = new FileStream(file.SafeFileHandle, FileAccess.Write, 1);
                Load(path, queue);
            } catch {
                file.Dispose();
                throw;
            }
        }

        /// <summary>The length of the file in bytes.</summary>
        public long Size { get; private set; }

        /// <summary>Whether something is not on the disk yet.</summary>
        public bool IsDirty => isDirty;

        /// <summary>Appends a frame. When it returns, the end of this process does not lose the frame.</summary>
        public void Append(byte[] bytes, int offset, int length) {
            if (file == null) {
                return;
            }
            try {
                file.Write(bytes, offset, length);
                file.Flush();
            } catch (IOException) {
                Truncate(Size); // A part may have been written.
                throw;
            }
            Size += length;
            isDirty = true;
        }

        /// <summary>Drops all pushes, because they are settled.</summary>
        public void Empty() {
            if (Size > hello.Length) {
                Truncate(hello.Length);
            }
        }

        /// <summary>Returns when what was appended before is on the disk.</summary>
        public void Sync() {
            lock (syncGate) {
                if (failed != null) {
                    throw new IOException(failed.Message, failed);
                }
                if (!isDirty) {
                    return;
                }
                isDirty = false;
                try {
                    syncing.Flush(true);
                } catch (IOException e) {
                    failed = e; // A second call may succeed although the bytes are lost.
                    throw;
                }
            }
        }

        public void Dispose() {
            try {
                Sync();
            } finally {
                file?.Dispose();
            }
        }

        private void Load(string path, Action<byte[], int, int> queue) {
            var bytes = new byte[file.Length];
            int end = 0;
            for (int count = 1; count > 0; end += count) {
                count = file.Read(bytes, end, bytes.Length - end);
            }
            int offset = Math.Min(end, hello.Length);
            if (!bytes.Take(offset).SequenceEqual(hello.Take(offset))) {
                throw new IOException(path + " is not the outbox of this app and producer");
            }
            bool isNew = offset < hello.Length;
            try {
                for (int length; (length = Frames.Length(bytes, offset, end)) > 0; offset += length) {
                    if (bytes[offset + 4] == Frames.Push) // Earlier versions wrote others, too.
                    {
                        queue(bytes, offset, length);
                    }
                }
            } catch (FormatException) {
                // Bytes that are no frame were not written to their end, either.
            }
            Truncate(isNew ? 0 : offset);
            if (isNew) {
                Append(hello, 0, hello.Length);
            }
        }

        private void Truncate(long length) {
            file.SetLength(length);
            file.Position = length;
            Size = length;
        }
    }
}
