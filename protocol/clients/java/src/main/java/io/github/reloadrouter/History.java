package io.github.reloadrouter;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import javax.net.ssl.SSLContext;

/** Asks over HTTP what has become of a push. */
final class History {
    private History() {}

    /** Returns the body of the answer; a context of null asks for plain HTTP. */
    static Map<String, Object> ask(PublisherOptions options, SSLContext context, long seq, OptionalLong after)
            throws InterruptedException {
        if (options.httpAddress == null) {
            throw new IllegalArgumentException("httpAddress names no listener for publishers");
        }
        String uri = (context == null ? "http://" : "https://") + options.httpAddress + "/v1/apps/" + escape(options.app)
                + "/pushes/" + escape(options.producer) + '/' + seq
                + (after.isPresent() ? "?after=" + after.getAsLong() : "");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri)).timeout(options.attemptTimeout);
        if (options.token != null) {
            request.header("Authorization", "Bearer " + options.token);
        }
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER);
        if (context != null) {
            client.sslContext(context);
        }
        try {
            HttpResponse<String> answer = client.build().send(
                    request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return body(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new PublisherException("", "reconnect", String.valueOf(e.getMessage()), e);
        }
    }

    private static Map<String, Object> body(int status, String text) {
        Map<String, Object> body = Map.of();
        try {
            body = Json.object(text);
        } catch (IllegalArgumentException e) {
            // It is judged by what it lacks.
        }
        if (status == 200 && body.containsKey("widgets")) {
            return body;
        }
        String code = body.containsKey("code") ? Json.text(body, "code") : "status-" + status;
        String detail = body.containsKey("code") ? Json.text(body, "detail") : "the answer is none of a router";
        throw new PublisherException(code, status == 429 || status >= 500 ? "later" : "no", code + ": " + detail, null);
    }

    private static String escape(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
