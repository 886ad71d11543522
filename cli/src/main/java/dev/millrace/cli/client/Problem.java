package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.Optional;

/** Converts an error answer of the gateway (RFC 9457) into the failure of a command. */
final class Problem {
    private static final int BODY_CHARS_MAX = 500;
    private static final int UNAUTHORIZED = 401;
    /** How OAuth says, with status 400, that it does not let somebody in. */
    private static final String GRANT_REFUSED = "invalid_grant";

    private Problem() {}

    static CommandFailure of(int status, String body, Connection connection) {
        Optional<JsonNode> problem = Json.parse(body).filter(JsonNode::isObject);
        String said = problem.map(Problem::message)
                .filter(text -> !text.isEmpty())
                .orElseGet(() -> "The server answered with HTTP status " + status + ": "
                        + body.substring(0, Math.min(body.length(), BODY_CHARS_MAX)));
        boolean isGrantRefused = problem.filter(json -> Json.text(json, "error").equals(GRANT_REFUSED))
                .isPresent();
        return new CommandFailure(
                isGrantRefused ? ExitCode.NOT_ALLOWED : exitCode(status),
                status == UNAUTHORIZED ? whoCalls(connection, said) : said);
    }

    private static String whoCalls(Connection connection, String said) {
        return connection
                .token()
                .map(token -> "The server at " + connection.server() + " does not accept the " + token + ". " + said
                        + "\nGet a new one with: ./millrace login")
                .orElseGet(() -> "The server at " + connection.server()
                        + " wants to know who calls, and there is no token for it."
                        + "\nLog in with: ./millrace login --server " + connection.server()
                        + "\nPrograms put a token into MILLRACE_TOKEN, or its file into MILLRACE_TOKEN_FILE.");
    }

    private static ExitCode exitCode(int status) {
        return switch (status) {
            case 400, 413, 415, 422 -> ExitCode.INVALID;
            case UNAUTHORIZED, 403 -> ExitCode.NOT_ALLOWED;
            case 404 -> ExitCode.NOT_FOUND;
            case 502, 503, 504 -> ExitCode.UNREACHABLE;
            default -> status < 500 ? ExitCode.REFUSED : ExitCode.INTERNAL;
        };
    }

    /** The problem as a whole, followed by those parts that its text does not contain already. */
    private static String message(JsonNode problem) {
        String detail = firstOf(problem, "detail", "title", "error_description");
        StringBuilder text = new StringBuilder(detail);
        for (JsonNode error : problem.path("errors")) {
            String described = describe(error);
            if (!detail.contains(described)) {
                text.append("\n  ").append(described);
            }
        }
        return text.toString();
    }

    /**
     * Describes one entry of the problem's list: a field and its error, or a problem of a definition with line and
     * remedy.
     */
    private static String describe(JsonNode error) {
        if (error.isTextual()) {
            return error.asText();
        }
        if (error.has("line")) {
            return FlowProblem.of(error).describe("");
        }
        String field = firstOf(error, "field", "path", "pointer");
        String message = firstOf(error, "message", "description", "detail");
        return field.isEmpty() ? message : field + ": " + message;
    }

    private static String firstOf(JsonNode node, String... fields) {
        for (String field : fields) {
            String text = Json.text(node, field);
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }
}
