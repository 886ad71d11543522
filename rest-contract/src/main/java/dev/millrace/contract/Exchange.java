package dev.millrace.contract;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A request to a gateway with its answer; an absent body is an empty text. */
public record Exchange(
        String method,
        URI uri,
        HttpHeaders requestHeaders,
        String requestBody,
        int status,
        HttpHeaders answerHeaders,
        String answerBody) {

    public static Exchange of(HttpRequest request, HttpResponse<String> answer) {
        return new Exchange(
                request.method(),
                request.uri(),
                request.headers(),
                SentBody.of(request),
                answer.statusCode(),
                answer.headers(),
                answer.body());
    }

    /** Content type of the answer without its parameters; empty if there is none. */
    String answerType() {
        return type(answerHeaders);
    }

    String requestType() {
        return type(requestHeaders);
    }

    boolean isAccepted() {
        return status < 300;
    }

    static String type(HttpHeaders headers) {
        return headers.firstValue("content-type").orElse("").split(";", 2)[0].strip();
    }
}
