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
    /// <summary>
    /// Lets the conformance tests of all clients control a publisher by JSON lines:
    /// <c>Tests/ClientTests/client_driver.py</c> says which.
    /// </summary>
    public static class Driver {
        private static readonly TextWriter Output =
            new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };

        private static Publisher publisher;
        private static Dictionary<string, object> command;

        /// <summary>Reads commands until <c>close</c> or the end of the input.</summary>
        public static void Main() {
            var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            for (string line = input.ReadLine(); line != null; line = input.ReadLine()) {
                command = (Dictionary<string, object>)Json.Parse(line);
                try {
                    Perform();
                } catch (Exception e) when (e is PublisherException || e is ArgumentException) {
                    Print("error", e.Message);
                }
            }
        }

        private static void Perform() {
            switch (Get<string>("do")) {
                case "connect":
                    publisher = Time("waitMs") == null ? Publisher.Start(Options()) : Publisher.Connect(Options());
                    break;
                case "push":
                    Print("pushed", publisher.Push(Write(command["payload"]), Settings()));
                    break;
                case "tryPush":
                    var bytes = new ArraySegment<byte>(Encoding.UTF8.GetBytes(Write(command["payload"])));
                    bool isPushed = publisher.TryPush(bytes, out long seq, Settings());
                    Print(isPushed ? "pushed" : "full", isPushed ? (object)seq : true);
                    break;
                case "flush":
                    Print("flushed", publisher.Flush(Time("timeoutMs").Value));
                    break;
                case "history":
                    try {
                        var after = Get<object>("after") as long?;
                        Print("history", publisher.History(Json.Number(command, "seq", 0), after));
                    } catch (PublisherException e) {
                        Print("refused", new Dictionary<string, object> { { "code", e.Code }, { "retry", e.Retry } });
                    }
                    break;
                case "statistics":
                    Print("statistics", typeof(PublisherStatistics).GetProperties().ToDictionary(
                        counter => counter.Name.ToLowerInvariant(),
                        counter => counter.GetValue(publisher.Statistics)));
                    break;
                case "close":
                    publisher?.Dispose();
                    Print("closed", true);
                    Environment.Exit(0);
                    break;
            }
        }

        private static PublisherOptions Options() {
            string authority = Get<string>("ca");
            string certificate = Get<string>("certificate");
            var options = new PublisherOptions(Get<string>("host"), Get<string>("app"), Get<string>("producer")) {
                Token = Get<string>("token"),
                QueuedPushes = (int)(long)command["queue"],
                Outbox = Get<string>("outbox"),
                Outcomes = IsTrue("outcomes"),
                HttpAddress = Get<string>("httpAddress"),
                OnEvent = IsTrue("silent") ? (Action<PublisherEvent>)null : Print,
                Plain = authority == null,
                Authorities = authority == null
                    ? null : new X509Certificate2Collection(new X509Certificate2(authority)),
                Certificate = certificate == null ? null : WithKey(certificate, Get<string>("key")),
            };
            options.Port = (int)Json.Number(command, "port", options.Port);
            if (Get<List<object>>("backoffMs") is List<object> pauses) {
                options.FirstPause = TimeSpan.FromMilliseconds((long)pauses[0]);
                options.LongestPause = TimeSpan.FromMilliseconds((long)pauses[1]);
            }
            options.ConnectLimit = Time("waitMs") ?? options.ConnectLimit;
            options.PingAfter = Time("pingMs") ?? options.PingAfter;
            options.LostAfter = Time("timeoutMs") ?? options.LostAfter;
            options.AttemptTimeout = Time("timeoutMs") ?? options.AttemptTimeout;
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

        private static PushSettings Settings() {
            long date = Json.Number(command, "expiresAt", -1);
            return new PushSettings {
                Urgent = IsTrue("urgent"),
                ExpiresAt = date < 0 ? (DateTimeOffset?)null : DateTimeOffset.FromUnixTimeMilliseconds(date),
                Kinds = Get<List<object>>("kinds")?.Cast<string>().ToList(),
            };
        }

        private static T Get<T>(string name)
            where T : class => command.TryGetValue(name, out object value) ? value as T : null;

        private static bool IsTrue(string name) => true.Equals(Get<object>(name));

        private static TimeSpan? Time(string name)
            => Get<object>(name) is long time ? TimeSpan.FromMilliseconds(time) : (TimeSpan?)null;

        private static void Print(PublisherEvent happened) {
            string name = happened.Kind.ToString().ToLowerInvariant();
            Print(happened.Kind == PublisherEventKind.Outcome
                ? new Dictionary<string, object> {
                    { "event", name }, { "seq", happened.Seq }, { "outcome", happened.Outcome },
                }
                : new Dictionary<string, object> {
                    { "event", name }, { "seq", happened.Seq }, { "lastSeq", happened.Seq }, { "from", happened.Seq },
                    { "through", happened.Through }, { "code", happened.Code }, { "retry", happened.Retry },
                });
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
            if (value is string text) {
                return Json.Quote(text);
            }
            if (value is IDictionary map) {
                var members = map.Keys.Cast<string>().Select(name => Json.Quote(name) + ":" + Write(map[name]));
                return "{" + string.Join(",", members) + "}";
            }
            if (value is IEnumerable list) {
                return "[" + string.Join(",", list.Cast<object>().Select(Write)) + "]";
            }
            if (value is double number) {
                return number.ToString("R", CultureInfo.InvariantCulture);
            }
            return value == null ? "null" : Convert.ToString(value, CultureInfo.InvariantCulture).ToLowerInvariant();
        }
    }
}
