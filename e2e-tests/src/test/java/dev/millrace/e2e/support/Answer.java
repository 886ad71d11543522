package dev.millrace.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;

/** An answer of the gateway. */
public record Answer(int status, HttpHeaders headers, JsonNode body) {
    /** Checks that the call succeeded, and returns the body. */
    public JsonNode ok() {
        assertThat(status).as("status of the answer %s", body).isBetween(200, 299);
        return body;
    }

    /**
     * Checks that the answer is a problem document with this status and code, and returns its whole text for further
     * checks.
     */
    public String problem(int expectedStatus, String code) {
        assertThat(status).as("status of the answer %s", body).isEqualTo(expectedStatus);
        assertThat(headers.firstValue("content-type").orElse("")).startsWith("application/problem+json");
        assertThat(body.path("code").asText()).as("code of the answer %s", body).isEqualTo(code);
        return body.toString();
    }
}
