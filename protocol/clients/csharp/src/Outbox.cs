using System;
using System.IO;
using System.Linq;

namespace ReloadRouter.Client {
    /// <summary>
    /// A file with the pushes that are not settled, for a process that ends before they are: frames of
    /// the protocol, a HELLO that names the producer and then PUSHes, as in the libraries for Go and
    /// Node.js. It is emptied when all are settled; those that are settled before are not sent again,
    /// because WELCOME says what the router has. A frame that was not written to its end is cut off.
    /// Without a path it keeps nothing. What fails is a <c>PublisherException</c> with the code <c>outbox</c>.
    /// </summary>
    internal sealed class Outbox : IDisposable {
        private readonly FileStream file;

        /// <summary>The same file for <c>Sync</c>, which other threads call.</summary>
        private readonly FileStream syncing;

        private readonly object syncGate = new object();
        private readonly byte[] hello;
        private volatile bool isDirty;
        private volatile PublisherException failed;

        /// <summary>Opens a file, and passes each push in it to a queue: its bytes, and their number.</summary>
        public Outbox(string path, string app, string producer, Action<byte[], int> queue) {
            hello = Frames.EncodeHello(app, null, producer, false, null);
            if (path == null) {
                return;
            }
            try {
                file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1);
                syncing = new FileStream(file.SafeFileHandle, FileAccess.Write, 1);
                Load(queue);
            } catch (Exception e) {
                file?.Dispose();
                throw e as PublisherException ?? Failure(e);
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
            if (failed != null) {
                throw failed;
            }
            try {
                file.Write(bytes, offset, length);
                file.Flush();
            } catch (IOException e) {
                try {
                    Truncate(Size); // A part may have been written.
                } catch (IOException) {
                    failed = Failure(e); // Nothing behind that part could be read: the publisher ends.
                }
                throw Failure(e);
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
                    throw failed; // A second call of the system may succeed although the bytes are lost.
                }
                if (isDirty) {
                    isDirty = false;
                    try {
                        syncing.Flush(true);
                    } catch (IOException e) {
                        throw failed = Failure(e);
                    }
                }
            }
        }

        /// <summary>Closes the file. Pushes that it has too many are only sent again, under the same numbers.</summary>
        public void Dispose() {
            try {
                Sync();
            } catch (PublisherException) {
                // The publisher is closed; what the disk does not have was not sent.
            }
            file?.Dispose();
        }

        /// <summary>Reads the file up to its last whole frame. Earlier versions wrote other frames, too.</summary>
        private void Load(Action<byte[], int> queue) {
            var input = new BufferedStream(file);
            byte[] found = new BinaryReader(input).ReadBytes(hello.Length);
            if (!found.SequenceEqual(hello.Take(found.Length))) {
                throw new IOException(file.Name + " is not the outbox of this app and producer");
            }
            Size = found.Length < hello.Length ? 0 : hello.Length;
            try {
                var frame = new byte[Frames.MostBytes];
                for (int length; (length = Frames.Read(input, frame)) > 0; Size += length) {
                    if (frame[4] == Frames.Push) {
                        queue(frame, length);
                    }
                }
            } catch (FormatException) {
                // Bytes that are no frame were not written to their end, either.
            }
            Truncate(Size);
            if (Size == 0) {
                Append(hello, 0, hello.Length);
            }
        }

        private void Truncate(long length) {
            file.SetLength(length);
            file.Position = length;
            Size = length;
        }

        private static PublisherException Failure(Exception cause)
            => new PublisherException("outbox", "the outbox: " + cause.Message, cause);
    }
}
