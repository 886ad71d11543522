package dev.millrace.cli.login;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import java.time.Duration;

/**
 * A login that has begun on a device (RFC 8628).
 *
 * @param secret identifies the login at the server
 * @param userCode what the person compares or types in the browser
 * @param page address of the page where the person approves the login
 * @param pageWithCode the same page with the code filled in; empty if the server has none
 * @param interval time to wait between two questions whether the person has approved it
 */
record DeviceCode(
        String secret, String userCode, String page, String pageWithCode, Duration validFor, Duration interval) {
    private static final int INTERVAL_DEFAULT = 5;

    static DeviceCode of(JsonNode answer) {
        DeviceCode code = new DeviceCode(
                Json.text(answer, "device_code"),
                Json.text(answer, "user_code"),
                Json.text(answer, "verification_uri"),
                Json.text(answer, "verification_uri_complete"),
                Duration.ofSeconds(answer.path("expires_in").asInt()),
                Duration.ofSeconds(answer.path("interval").asInt(INTERVAL_DEFAULT)));
        if (code.secret.isEmpty() || code.userCode.isEmpty() || code.page.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.INTERNAL,
                    "The server's answer to the login lacks a code or an address. Check that client and server have"
                            + " versions that fit.");
        }
        return code;
    }
}
