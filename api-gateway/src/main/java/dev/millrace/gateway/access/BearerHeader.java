package dev.millrace.gateway.access;

import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import java.util.List;
import java.util.regex.Pattern;

/** The header `Authorization` with a bearer token, RFC 6750. */
final class BearerHeader {

    private static final String TOKEN = "[A-Za-z0-9._~+/-]+=*";
    private static final Pattern ALONE = Pattern.compile(TOKEN);
    private static final Pattern HEADER = Pattern.compile("(?i:bearer) +(" + TOKEN + ") *");

    private BearerHeader() {}

    /**
     * The token in the values of the header.
     *
     * @throws ProblemException with status 401 if there is not exactly one, or if it is no bearer token
     */
    static String token(List<String> values) {
        var bearer = HEADER.matcher(values.getFirst());
        if (values.size() > 1 || !bearer.matches()) {
            throw new ProblemException(Problem.of(
                    HttpStatus.UNAUTHORIZED,
                    "unauthenticated",
                    "The header Authorization is not a token: send it once, as \"Bearer TOKEN\"."));
        }
        return bearer.group(1);
    }

    /** Whether the text can be sent as a bearer token. */
    static boolean isToken(String text) {
        return ALONE.matcher(text).matches();
    }
}
