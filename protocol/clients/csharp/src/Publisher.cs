using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace ReloadRouter.Client {
    /// <summary>
    /// Publishes pushes to a router, over a connection that is restored when it is lost. Pushes are
    /// pipelined: <c>Push</c> returns as soon as the queue has capacity, <c>Flush</c> when the router has
    /// answered everything. After a lost connection, what the router has not accepted is sent again under
    /// the same numbers; each push takes effect once. All methods may be called from any thread;
    /// <c>TryPush</c> is for the main thread of a game.
    /// </summary>
    public sealed class Publisher : IDisposable {
        private readonly PublisherOptions options;
        private readonly RouterConnection connection;
        private readonly PushQueue queue;

        private Publisher(PublisherOptions options) {
            this.options = options.Checked();
            connection = new RouterConnection(this.options);
            queue = connection.Queue;
        }

        /// <summary>
        /// Makes a publisher, and returns when the router has accepted its first session; from then on it
        /// stays connected by itself. Not for the main thread of a game: see <c>Start</c>.
        /// </summary>
        /// <exception cref="PublisherException">The outbox cannot be read, the router refuses the publisher,
        /// or <c>not-connected</c> with the last reason after the options' <c>ConnectLimit</c>; the publisher is
        /// closed then.</exception>
        public static Publisher Connect(PublisherOptions options) => ConnectAsync(options).GetAwaiter().GetResult();

        /// <summary>The same as a task.</summary>
        public static async Task<Publisher> ConnectAsync(PublisherOptions options) {
            Publisher publisher = Start(options);
            try {
                await publisher.connection.WaitForSessionAsync().ConfigureAwait(false);
            } catch {
                publisher.Dispose();
                throw;
            }
            return publisher;
        }

        /// <summary>
        /// Makes a publisher and returns at once; it connects in the background, as often as is needed.
        /// </summary>
        /// <exception cref="PublisherException">The outbox cannot be read.</exception>
        public static Publisher Start(PublisherOptions options) => new Publisher(options);

        /// <summary>
        /// Publishes a JSON object, which the router checks. Waits while the queue is full, and until
        /// the first session, which says how pushes are numbered.
        /// </summary>
        /// <returns>The push's number, which a rejection of it names.</returns>
        /// <exception cref="PublisherException">The push is too long, the outbox cannot be written, or
        /// the publisher has ended.</exception>
        public long Push(string payload, PushSettings settings = default)
            => PushAsync(payload, settings).AsTask().GetAwaiter().GetResult();

        /// <summary>Publishes a JSON object in UTF-8; otherwise the same.</summary>
        public long Push(ArraySegment<byte> payload, PushSettings settings = default)
            => TryPush(payload, out long seq, settings)
                ? seq : PushLater(null, payload, settings).GetAwaiter().GetResult();

        /// <summary>Publishes a JSON object; the task waits as <c>Push</c> does.</summary>
        public ValueTask<long> PushAsync(string payload, PushSettings settings = default)
            => TryPush(payload, out long seq, settings)
                ? new ValueTask<long>(seq) : new ValueTask<long>(PushLater(payload, default, settings));

        /// <summary>
        /// Publishes a JSON object as <c>Push</c> does, but never waits for the router, and needs no memory of
        /// the managed heap except when the queue grows.
        /// </summary>
        /// <returns>False if the queue is full or no session has begun yet.</returns>
        public bool TryPush(string payload, out long seq, PushSettings settings = default)
            => TryPush(payload ?? throw new ArgumentNullException(nameof(payload)), default, settings, out seq);

        /// <summary>Publishes a JSON object in UTF-8 if there is capacity now; otherwise the same.</summary>
        public bool TryPush(ArraySegment<byte> payload, out long seq, PushSettings settings = default)
            => TryPush(null, payload, settings, out seq);

        /// <summary>
        /// Waits until the router has answered every push published so far, and <c>OnEvent</c> has
        /// been called with each rejection.
        /// </summary>
        /// <returns>False if that takes longer than the time, or the publisher ends before.</returns>
        public bool Flush(TimeSpan timeout) => FlushAsync(timeout).GetAwaiter().GetResult();

        /// <summary>The same as a task.</summary>
        public async Task<bool> FlushAsync(TimeSpan timeout) {
            long last;
            lock (connection) {
                last = queue.Last;
            }
            await connection.WaitAsync(
                () => queue.Settled >= last && queue.Events.IsEmpty, timeout).ConfigureAwait(false);
            lock (connection) {
                return queue.Settled >= last;
            }
        }

        /// <summary>
        /// Asks over HTTP (<c>HttpAddress</c> of the options) what has become of a push so far, for 64 of the widgets
        /// that it matches: those after a position, <c>next</c> of the page before. The session need not be open.
        /// </summary>
        /// <returns>The members of <c>protocol/http.md</c>, section 3, as those of <c>Outcome</c>, and null.</returns>
        /// <exception cref="PublisherException">With the code <c>push-unknown</c> if no such push was accepted,
        /// <c>push-forgotten</c> if the router does not keep it any more, or none if there is no answer.</exception>
        public IReadOnlyDictionary<string, object> History(long seq, long? after = null)
            => HistoryAsync(seq, after).GetAwaiter().GetResult();

        /// <summary>The same as a task.</summary>
        public Task<IReadOnlyDictionary<string, object>> HistoryAsync(long seq, long? after = null)
            => Client.History.AskAsync(options, seq, after);

        /// <summary>The counters.</summary>
        public PublisherStatistics Statistics {
            get {
                lock (connection) {
                    return queue.Statistics;
                }
            }
        }

        /// <summary>Ends the session at once. Pushes that were not flushed may be lost without an outbox.</summary>
        public void Dispose() {
            connection.Stop();
            queue.Outbox.Dispose();
        }

        private async Task<long> PushLater(string text, ArraySegment<byte> bytes, PushSettings settings) {
            long seq = 0;
            await connection.WaitAsync(
                () => TryPush(text, bytes, settings, out seq), TimeSpan.MaxValue).ConfigureAwait(false);
            return seq;
        }

        private bool TryPush(string text, ArraySegment<byte> bytes, PushSettings settings, out long seq) {
            lock (connection) {
                connection.Check();
                bool hasRoom = queue.HasRoom;
                seq = hasRoom ? queue.Add(text, bytes, settings) : 0;
                connection.Wake();
                return hasRoom;
            }
        }
    }
}
