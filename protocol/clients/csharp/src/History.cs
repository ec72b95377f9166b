using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Text;
using System.Threading.Tasks;

namespace ReloadRouter.Client {
    /// <summary>Asks over HTTP what has become of a push.</summary>
    internal static class History {
        /// <summary>The body of the answer.</summary>
        public static async Task<IReadOnlyDictionary<string, object>> AskAsync(
            PublisherOptions options, long seq, long? after) {
            if (options.HttpAddress == null) {
                throw new ArgumentException("HttpAddress names no listener for publishers");
            }
            string uri = (options.Plain ? "http://" : "https://") + options.HttpAddress + "/v1/apps/"
                + Uri.EscapeDataString(options.App) + "/pushes/" + Uri.EscapeDataString(options.Producer) + "/" + seq
                + (after == null ? "" : "?after=" + after);
            var request = (HttpWebRequest)WebRequest.Create(uri);
            request.AllowAutoRedirect = false;
            request.KeepAlive = false;
            request.Timeout = (int)options.AttemptTimeout.TotalMilliseconds;
            if (options.Token != null) {
                request.Headers[HttpRequestHeader.Authorization] = "Bearer " + options.Token;
            }
            if (!options.Plain) {
                string host = request.RequestUri.DnsSafeHost;
                request.ServerCertificateValidationCallback =
                    (sender, shown, chain, errors) => Tls.IsTrusted(options.Authorities, host, shown, chain, errors);
                if (options.Certificate != null) {
                    request.ClientCertificates.Add(options.Certificate);
                }
            }
            try {
                return Read((HttpWebResponse)await Task.Run(() => request.GetResponse()).ConfigureAwait(false));
            } catch (WebException e) when (e.Response is HttpWebResponse answer) {
                return Read(answer);
            } catch (WebException e) {
                throw new PublisherException("", e.GetBaseException().Message, e, "reconnect");
            }
        }

        private static Dictionary<string, object> Read(HttpWebResponse answer) {
            using (answer)
            using (var text = new StreamReader(answer.GetResponseStream(), new UTF8Encoding(false))) {
                return Body((int)answer.StatusCode, text.ReadToEnd());
            }
        }

        private static Dictionary<string, object> Body(int status, string text) {
            var body = new Dictionary<string, object>();
            try {
                body = Json.Parse(text) as Dictionary<string, object> ?? body;
            } catch (FormatException) {
                // It is judged by what it lacks.
            }
            if (status == 200 && body.ContainsKey("widgets")) {
                return body;
            }
            bool isProblem = body.ContainsKey("code");
            string code = isProblem ? Json.Text(body, "code") : "status-" + status;
            string detail = isProblem ? Json.Text(body, "detail") : "the answer is none of a router";
            throw new PublisherException(code, code + ": " + detail, null, status == 429 || status >= 500 ? "later" : "no");
        }
    }
}
