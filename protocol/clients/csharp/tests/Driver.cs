using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace ReloadRouter.Client.Tests {
    /// <summary>Lets the conformance tests of all clients control a publisher by JSON lines.</summary>
    public static class Driver {
        private static readonly TextWriter Output =
            new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };

        private static Publisher publisher;

        /// <summary>Reads commands until <c>close</c> or the end of the input.</summary>
        public static int Main() {
            var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            for (string line = input.ReadLine(); line != null; line = input.ReadLine()) {
                var command = (Dictionary<string, object>)Json.Parse(line);
                try {
                    Perform(command);
                } catch (PublisherException e) {
                    Print("error", e.Code + ": " + e.Message);
                } catch (ArgumentException e) {
                    Print("error", e.Message);
                }
                if (Json.Text(command, "do") == "close") {
                    return 0;
                }
            }
            return 0;
        }

        private static void Perform(Dictionary<string, object> command) {
            switch (Json.Text(command, "do")) {
                case "connect":
                    PublisherOptions options = Options(command);
                    options.ConnectLimit = Time(command, "waitMs") ?? options.ConnectLimit;
                    publisher = Time(command, "waitMs") == null ? Publisher.Start(options) : Publisher.Connect(options);
                    break;
                case "push":
                    Print("pushed", publisher.Push(Write(command["payload"]), Settings(command)));
                    break;
                case "tryPush":
                    var bytes = new ArraySegment<byte>(Encoding.UTF8.GetBytes(Write(command["payload"])));
                    bool isPushed = publisher.TryPush(bytes, out long seq, Settings(command));
                    Print(isPushed ? "pushed" : "full", isPushed ? (object)seq : true);
                    break;
                case "flush":
                    Print("flushed", publisher.Flush(Time(command, "timeoutMs").Value));
                    break;
                case "statistics":
                    PublisherStatistics now = publisher.Statistics;
                    Print("statistics", new Dictionary<string, object> {
                        { "queued", now.Queued }, { "sent", now.Sent }, { "acknowledged", now.Acknowledged },
                        { "rejected", now.Rejected }, { "matched", now.Matched }, { "reconnects", now.Reconnects },
                    });
                    break;
                case "close":
                    publisher?.Dispose();
                    Print("closed", true);
                    break;
                default:
                    throw new ArgumentException("unknown command: " + command["do"]);
            }
        }

        private static PublisherOptions Options(Dictionary<string, object> command) {
            string authority = Member<string>(command, "ca");
            string certificate = Member<string>(command, "certificate");
            var options = new PublisherOptions(
                Json.Text(command, "host"), Json.Text(command, "app"), Json.Text(command, "producer")) {
                Token = Member<string>(command, "token"),
                QueuedPushes = (int)Json.Number(command, "queue", 0),
                Outbox = Member<string>(command, "outbox"),
                Outcomes = IsTrue(command, "outcomes"),
                OnEvent = IsTrue(command, "silent") ? (Action<PublisherEvent>)null : Print,
                Plain = authority == null,
                Authorities = authority == null
                    ? null : new X509Certificate2Collection(new X509Certificate2(authority)),
                Certificate = certificate == null ? null : WithKey(certificate, Member<string>(command, "key")),
            };
            options.Port = (int)Json.Number(command, "port", options.Port);
            if (Member<List<object>>(command, "backoffMs") is List<object> pauses) {
                options.FirstPause = TimeSpan.FromMilliseconds((long)pauses[0]);
                options.LongestPause = TimeSpan.FromMilliseconds((long)pauses[1]);
            }
            options.PingAfter = Time(command, "pingMs") ?? options.PingAfter;
            options.LostAfter = Time(command, "timeoutMs") ?? options.LostAfter;
            options.AttemptTimeout = Time(command, "timeoutMs") ?? options.AttemptTimeout;
            return options;
        }

        /// <summary>A certificate and its key from PEM files, by way of PKCS #12 as Mono reads it.</summary>
        private static X509Certificate2 WithKey(string certificate, string key) {
            string file = Path.GetTempFileName();
            try {
                string arguments = "pkcs12 -export -legacy -passout pass:t -out \"" + file + "\" -in \"" + certificate
                    + "\" -inkey \"" + key + "\"";
                Process.Start(new ProcessStartInfo("openssl", arguments) { UseShellExecute = false }).WaitForExit();
                return new X509Certificate2(file, "t");
            } finally {
                File.Delete(file);
            }
        }

        private static PushSettings Settings(Dictionary<string, object> command) {
            long date = Json.Number(command, "expiresAt", -1);
            return new PushSettings {
                Urgent = IsTrue(command, "urgent"),
                ExpiresAt = date < 0 ? (DateTimeOffset?)null : DateTimeOffset.FromUnixTimeMilliseconds(date),
                Kinds = Member<List<object>>(command, "kinds")?.Cast<string>().ToList(),
            };
        }

        private static T Member<T>(Dictionary<string, object> command, string name)
            where T : class => command.TryGetValue(name, out object value) ? value as T : null;

        private static bool IsTrue(Dictionary<string, object> command, string name)
            => command.TryGetValue(name, out object value) && true.Equals(value);

        private static TimeSpan? Time(Dictionary<string, object> command, string name) {
            bool isThere = command.TryGetValue(name, out object value) && value is long;
            return isThere ? TimeSpan.FromMilliseconds((long)value) : (TimeSpan?)null;
        }

        private static void Print(PublisherEvent happened) {
            var members = new Dictionary<string, object> {
                { "event", happened.Kind.ToString().ToLowerInvariant() }, { "seq", happened.Seq },
            };
            if (happened.Kind == PublisherEventKind.Outcome) {
                members.Add("outcome", happened.Outcome);
            } else {
                members.Add("lastSeq", happened.Seq);
                members.Add("from", happened.Seq);
                members.Add("through", happened.Through);
                members.Add("code", happened.Code);
                members.Add("retry", happened.Retry);
                members.Add("message", happened.Message);
            }
            Print(members);
        }

        private static void Print(string name, object value)
            => Print(new Dictionary<string, object> { { name, value } });

        private static void Print(Dictionary<string, object> members) {
            lock (Output) {
                Output.WriteLine(Write(members));
            }
        }

        /// <summary>Dictionaries, lists, strings, numbers, booleans and null as JSON without spaces.</summary>
        internal static string Write(object value) {
            if (value is IDictionary map) {
                return "{" + string.Join(
                    ",", map.Keys.Cast<string>().Select(key => Json.Quote(key) + ":" + Write(map[key]))) + "}";
            }
            if (value is string text) {
                return Json.Quote(text);
            }
            if (value is IEnumerable list) {
                return "[" + string.Join(",", list.Cast<object>().Select(Write)) + "]";
            }
            if (value is double number) {
                return number.ToString("R", CultureInfo.InvariantCulture);
            }
            string word = Convert.ToString(value, CultureInfo.InvariantCulture);
            return value == null ? "null" : value is bool ? word.ToLowerInvariant() : word;
        }
    }
}
