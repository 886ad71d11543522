package dev.millrace.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Launcher;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts an error answer of the gateway (RFC 9457) into the failure of a command. */
final class Problem {
    private static final int BODY_CHARS_MAX = 500;
    private static final int UNAUTHORIZED = 401;
    /** How OAuth says, with status 400, that it does not let somebody in. */
    private static final String GRANT_REFUSED = "invalid_grant";

    /** The field of all requests that can be made although something speaks against them. */
    private static final String FORCE = "force";

    private static final Pattern WITH_FORCE = Pattern.compile("\\bwith (`?)" + FORCE + "\\b\\1");

    private Problem() {}

    static CommandFailure of(int status, String body, Connection connection) {
        Optional<JsonNode> problem = Json.parse(body)
                .filter(JsonNode::isObject)
                .filter(json -> !message(json, UnaryOperator.identity()).isEmpty());
        boolean isGrantRefused = problem.filter(json -> Json.text(json, "error").equals(GRANT_REFUSED))
                .isPresent();
        ExitCode exitCode = isGrantRefused ? ExitCode.NOT_ALLOWED : exitCode(status);
        if (problem.isPresent() && status != UNAUTHORIZED) {
            return new RefusedRequest(exitCode, problem.get(), UnaryOperator.identity());
        }
        String said = problem.map(json -> message(json, UnaryOperator.identity()))
                .orElseGet(() -> "The server answered with HTTP status " + status + ": "
                        + body.substring(0, Math.min(body.length(), BODY_CHARS_MAX)));
        return new CommandFailure(exitCode, status == UNAUTHORIZED ? whoCalls(connection, said) : said);
    }

    private static String whoCalls(Connection connection, String said) {
        return connection
                .token()
                .map(token -> "The server at " + connection.server() + " does not accept the " + token + ". " + said
                        + "\nGet a new one with: " + Launcher.NAME + " login")
                .orElseGet(() -> "The server at " + connection.server()
                        + " wants to know who calls, and there is no token for it."
                        + "\nLog in with: " + Launcher.NAME + " login --server " + connection.server()
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

    /**
     * The problem as a whole, followed by those parts that its text does not contain already.
     *
     * @param names what to call a field of the request
     */
    static String message(JsonNode problem, UnaryOperator<String> names) {
        String detail = WITH_FORCE
                .matcher(firstOf(problem, "detail", "title", "error_description"))
                .replaceAll(Matcher.quoteReplacement("with " + names.apply(FORCE)));
        StringBuilder more = new StringBuilder();
        for (JsonNode error : problem.path("errors")) {
            String named = detail;
            String field = field(error);
            for (String separator : field.isEmpty() ? List.<String>of() : List.of(": ", " ")) {
                String said = message(error);
                named = named.replace(" " + field + separator + said, " " + names.apply(field) + separator + said);
            }
            String described = describe(error, names);
            if (!named.contains(described) && !isSaid(named, error, names)) {
                more.append("\n  ").append(described);
            }
            detail = named;
        }
        return detail + more;
    }

    /** Whether a sentence contains the error without a colon, as the gateway writes its own. */
    private static boolean isSaid(String sentence, JsonNode error, UnaryOperator<String> names) {
        return !field(error).isEmpty() && sentence.contains(names.apply(field(error)) + " " + message(error));
    }

    /**
     * Describes one entry of the problem's list: a field and its error, or a problem of a definition with line and
     * remedy.
     */
    private static String describe(JsonNode error, UnaryOperator<String> names) {
        if (error.isTextual()) {
            return error.asText();
        }
        if (error.has("line")) {
            return FlowProblem.of(error).describe("");
        }
        String field = field(error);
        return field.isEmpty() ? message(error) : names.apply(field) + ": " + message(error);
    }

    private static String field(JsonNode error) {
        return error.has("line") ? "" : firstOf(error, "field", "path", "pointer");
    }

    private static String message(JsonNode error) {
        return firstOf(error, "message", "description", "detail");
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
