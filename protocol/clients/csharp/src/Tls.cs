using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading;

namespace ReloadRouter.Client {
    /// <summary>TLS as a publisher uses it, with the checks of a peer.</summary>
    internal static class Tls {
        // DER's tags of a subjectAltName, and of names in it (RFC 5280).
        private const int Sequence = 0x30, DnsName = 0x82, IPName = 0x87;

        /// <summary>Begins TLS, and checks that the certificate is for the host.</summary>
        public static Stream Connect(PublisherOptions options, Stream stream) {
            var secured = new SslStream(
                stream, false, (sender, certificate, chain, errors)
                    => IsTrusted(options.Authorities, options.Host, certificate, chain, errors));
            var parameters = new SslClientAuthenticationOptions {
                TargetHost = options.Host,
                EnabledSslProtocols = SslProtocols.None,
                ApplicationProtocols = new List<SslApplicationProtocol> { new SslApplicationProtocol("rr/1") },
                CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
                ClientCertificates = options.Certificate == null
                    ? null : new X509CertificateCollection { options.Certificate },
            };
            secured.AuthenticateAsClientAsync(parameters, CancellationToken.None).GetAwaiter().GetResult();
            return secured;
        }

        /// <summary>
        /// Whether a peer's certificate is for a host, and leads to one of the authorities; null for the system's.
        /// </summary>
        internal static bool IsTrusted(
            X509Certificate2Collection authorities, string host, X509Certificate certificate, X509Chain chain,
            SslPolicyErrors errors) {
            if (authorities == null) {
                return errors == SslPolicyErrors.None;
            }
            // The chain must be judged again: the system does not know these authorities.
            if ((errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != 0 || certificate == null) {
                return false;
            }
            // Some platforms do not look at the name in a certificate whose authority they do not know.
            var shown = new X509Certificate2(certificate);
            return IsFor(host, shown.Extensions["2.5.29.17"]?.RawData ?? new byte[0])
                && (IsPinned(authorities, shown) || LeadsTo(authorities, shown, chain));
        }

        /// <summary>Whether a subjectAltName, in DER, has a name or an address.</summary>
        internal static bool IsFor(string host, byte[] names) {
            var input = new BinaryReader(new MemoryStream(names));
            byte[] address = IPAddress.TryParse(host, out IPAddress parsed) ? parsed.GetAddressBytes() : null;
            bool isFor = false;
            if (names.Length > 0 && input.ReadByte() == Sequence) {
                ReadLength(input);
                while (!isFor && input.BaseStream.Position < names.Length) {
                    int tag = input.ReadByte();
                    int length = ReadLength(input);
                    if (length < 0 || length > names.Length - input.BaseStream.Position) {
                        return false; // Whoever answers has written it: no memory is asked for by it.
                    }
                    byte[] value = input.ReadBytes(length);
                    isFor = address == null
                        ? tag == DnsName && IsMatch(Encoding.ASCII.GetString(value), host)
                        : tag == IPName && value.SequenceEqual(address);
                }
            }
            return isFor;
        }

        /// <summary>Reads a length of DER: a byte, or the number of those that follow.</summary>
        private static int ReadLength(BinaryReader input) {
            int length = input.ReadByte();
            int count = length < 0x80 ? 0 : length & 0x7f;
            for (length = count == 0 ? length : 0; count > 0; count--) {
                length = length << 8 | input.ReadByte();
            }
            return length;
        }

        /// <summary>Whether a host has a name, whose first label may be an asterisk.</summary>
        private static bool IsMatch(string name, string host) {
            int dot = host.IndexOf('.');
            bool isWild = name.StartsWith("*.", StringComparison.Ordinal) && dot > 0 && name.IndexOf('.', 2) > 0;
            return string.Equals(
                isWild ? name.Substring(1) : name, isWild ? host.Substring(dot) : host,
                StringComparison.OrdinalIgnoreCase);
        }

        /// <summary>Whether a certificate is one of the authorities itself, and valid now.</summary>
        private static bool IsPinned(X509Certificate2Collection authorities, X509Certificate2 certificate) {
            DateTime now = DateTime.Now;
            return now >= certificate.NotBefore && now <= certificate.NotAfter
                && authorities.Cast<X509Certificate2>().Any(one => one.RawData.SequenceEqual(certificate.RawData));
        }

        private static bool LeadsTo(
            X509Certificate2Collection authorities, X509Certificate2 certificate, X509Chain sent) {
            using (var chain = new X509Chain()) {
                X509ChainPolicy policy = chain.ChainPolicy;
                policy.RevocationMode = X509RevocationMode.NoCheck;
                policy.VerificationFlags = X509VerificationFlags.AllowUnknownCertificateAuthority;
                policy.ExtraStore.AddRange(authorities);
                if (sent != null) {
                    policy.ExtraStore.AddRange(sent.ChainPolicy.ExtraStore);
                    foreach (X509ChainElement element in sent.ChainElements) {
                        policy.ExtraStore.Add(element.Certificate);
                    }
                }
                // Of all faults only that the system does not know the root is none.
                bool isWhole = chain.Build(certificate) && chain.ChainElements.Count > 0
                    && chain.ChainStatus.All(one => (one.Status & ~X509ChainStatusFlags.UntrustedRoot) == 0);
                return isWhole && authorities.Find(
                    X509FindType.FindByThumbprint,
                    chain.ChainElements[chain.ChainElements.Count - 1].Certificate.Thumbprint, false).Count > 0;
            }
        }
    }
}
