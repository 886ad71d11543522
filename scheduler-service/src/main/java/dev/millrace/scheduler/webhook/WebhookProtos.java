package dev.millrace.scheduler.webhook;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.proto.trigger.v1.WebhookCall;
import dev.millrace.proto.trigger.v1.WebhookSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.webhook.core.Authentication;
import dev.millrace.scheduler.webhook.core.Deduplication;
import dev.millrace.scheduler.webhook.core.HookCall;
import dev.millrace.scheduler.webhook.core.InputPart;
import dev.millrace.scheduler.webhook.core.Scheme;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads messages about webhooks. */
public final class WebhookProtos {
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final int BODY_PATH_LENGTH_MAX = 200;
    private static final int USER_LENGTH_MAX = 100;
    private static final Duration DURATION_MIN = Duration.ofSeconds(1);
    private static final String HEADER_PREFIX = "header:";
    private static final String BODY_PREFIX = "body:";

    private WebhookProtos() {}

    /** A call. */
    public static HookCall call(String path, WebhookCall call) {
        return new HookCall(
                call.getMethod(),
                path,
                call.getQuery(),
                call.getHeadersList().stream()
                        .map(header -> new HookCall.Header(header.getName(), header.getValue()))
                        .toList(),
                call.getBody().toByteArray());
    }

    /**
     * The settings to store.
     *
     * @throws dev.millrace.scheduler.error.MillraceException if they break a rule
     */
    public static ByteString stored(WebhookSource source) {
        Violations violations = new Violations();
        var _ = settings(source, violations);
        violations.throwIfAny();
        return source.toByteString();
    }

    /** The settings as they were stored. */
    static WebhookSettings settings(ByteString stored) {
        try {
            return settings(WebhookSource.parseFrom(stored), new Violations());
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored settings of a webhook are no message of that kind", damaged);
        }
    }

    /** The settings that a message means, with a violation for each rule that it breaks. */
    static WebhookSettings settings(WebhookSource source, Violations violations) {
        return new WebhookSettings(
                authentication(source, violations),
                secrets(source, violations),
                deduplication(source.getDeduplicate(), violations),
                parts(source, violations),
                number(
                        "webhook.body_bytes_max",
                        source.getBodyBytesMax(),
                        WebhookSettings.BODY_BYTES_DEFAULT,
                        1,
                        WebhookSettings.BODY_BYTES_MAX,
                        violations),
                source.hasWait()
                        ? Optional.of(
                                duration("webhook.wait", source.getWait(), WebhookSettings.PATIENCE_MAX, violations))
                        : Optional.empty(),
                number(
                        "webhook.success_status",
                        source.getSuccessStatus(),
                        WebhookSettings.SUCCESS_STATUS_DEFAULT,
                        200,
                        299,
                        violations),
                number(
                        "webhook.failure_status",
                        source.getFailureStatus(),
                        WebhookSettings.FAILURE_STATUS_DEFAULT,
                        400,
                        599,
                        violations));
    }

    private static List<String> secrets(WebhookSource source, Violations violations) {
        int count = source.getSecretsCount();
        violations.require(
                count >= 1 && count <= WebhookSettings.SECRETS_MAX,
                "webhook.secrets",
                count + " paths (expected: 1, or " + WebhookSettings.SECRETS_MAX + " while one is replaced)");
        return source.getSecretsList();
    }

    private static Authentication authentication(WebhookSource source, Violations violations) {
        Scheme scheme = switch (source.getScheme()) {
            case SCHEME_STANDARD -> Scheme.STANDARD;
            case SCHEME_GITHUB -> Scheme.GITHUB;
            case SCHEME_STRIPE -> Scheme.STRIPE;
            case SCHEME_SLACK -> Scheme.SLACK;
            case SCHEME_BASIC -> Scheme.BASIC;
            case SCHEME_TOKEN -> Scheme.TOKEN;
            case SCHEME_UNSPECIFIED, UNRECOGNIZED -> {
                violations.add(
                        "webhook.scheme", "is missing (expected: standard, github, stripe, slack, basic or token)");
                yield Scheme.STANDARD;
            }
        };
        String header = source.getHeader();
        boolean isHeader = header.isEmpty()
                || (scheme == Scheme.TOKEN && HEADER.matcher(header).matches());
        violations.require(
                isHeader,
                "webhook.header",
                "\"" + header + "\" (expected: the name of a header, for the scheme token)");
        String user = source.getUser();
        violations.require(
                (scheme == Scheme.BASIC) != user.isEmpty() && user.length() <= USER_LENGTH_MAX && user.indexOf(':') < 0,
                "webhook.user",
                "\"" + user + "\" (expected: a name without colon for the scheme basic, and none for others)");
        Duration window = source.hasWindow()
                ? duration("webhook.window", source.getWindow(), Authentication.WINDOW_MAX, violations)
                : Authentication.WINDOW_DEFAULT;
        return new Authentication(scheme, header, user, window);
    }

    private static Deduplication deduplication(String text, Violations violations) {
        if (text.isEmpty() || text.equals("auto")) {
            return new Deduplication.ByMessage();
        }
        if (text.equals("off")) {
            return new Deduplication.Off();
        }
        if (text.startsWith(HEADER_PREFIX)
                && HEADER.matcher(text.substring(HEADER_PREFIX.length())).matches()) {
            return new Deduplication.ByHeader(text.substring(HEADER_PREFIX.length()));
        }
        if (text.startsWith(BODY_PREFIX)
                && text.length() > BODY_PREFIX.length()
                && text.length() <= BODY_PATH_LENGTH_MAX) {
            return new Deduplication.ByBody(text.substring(BODY_PREFIX.length()));
        }
        violations.add("webhook.deduplicate", "\"" + text + "\" (expected: auto, header:NAME, body:NAME.NAME or off)");
        return new Deduplication.Off();
    }

    private static List<InputPart> parts(WebhookSource source, Violations violations) {
        violations.require(
                source.getPartsList().stream().distinct().count() == source.getPartsCount()
                        && !source.getPartsList().contains(WebhookSource.Part.PART_UNSPECIFIED)
                        && !source.getPartsList().contains(WebhookSource.Part.UNRECOGNIZED),
                "webhook.parts",
                "expected: some of body, raw_body, headers, query, method and event, each once");
        return source.getPartsList().stream()
                .flatMap(part -> part(part).stream())
                .distinct()
                .toList();
    }

    private static Optional<InputPart> part(WebhookSource.Part part) {
        return switch (part) {
            case PART_BODY -> Optional.of(InputPart.BODY);
            case PART_RAW_BODY -> Optional.of(InputPart.RAW_BODY);
            case PART_HEADERS -> Optional.of(InputPart.HEADERS);
            case PART_QUERY -> Optional.of(InputPart.QUERY);
            case PART_METHOD -> Optional.of(InputPart.METHOD);
            case PART_EVENT -> Optional.of(InputPart.EVENT);
            case PART_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    private static Duration duration(
            String field, com.google.protobuf.Duration given, Duration max, Violations violations) {
        Duration duration =
                violations.collect(field, () -> TimeProtos.duration(given)).orElse(max);
        violations.require(
                duration.compareTo(DURATION_MIN) >= 0 && duration.compareTo(max) <= 0,
                field,
                Durations.text(duration) + " (expected: " + Durations.text(DURATION_MIN) + " to " + Durations.text(max)
                        + ")");
        return duration;
    }

    private static int number(String field, int given, int otherwise, int min, int max, Violations violations) {
        violations.require(
                given == 0 || (given >= min && given <= max), field, given + " (expected: " + min + " to " + max + ")");
        return given == 0 ? otherwise : given;
    }
}
