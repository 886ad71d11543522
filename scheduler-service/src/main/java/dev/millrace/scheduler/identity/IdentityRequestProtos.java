package dev.millrace.scheduler.identity;

import com.google.protobuf.Duration;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.text.Durations;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Validates the fields of requests about principals, roles and tokens. */
final class IdentityRequestProtos {
    private static final Pattern FOLDER = Pattern.compile("[\\w.@-]{1,100}");
    private static final int TOKEN_NAME_LENGTH_MAX = 100;
    private static final int RESTRICTIONS_MAX = 100;
    private static final int TAG_LENGTH_MAX = 200;
    private static final java.time.Duration VALID_MIN = java.time.Duration.ofMinutes(1);
    private static final java.time.Duration VALID_MAX = java.time.Duration.ofDays(400);
    private static final java.time.Duration VALID_DEFAULT = java.time.Duration.ofDays(90);

    private IdentityRequestProtos() {}

    static Subject user(String name) {
        return named(Subject.Kind.USER, "name", name);
    }

    static Subject serviceAccount(String name) {
        return named(Subject.Kind.SERVICE_ACCOUNT, "name", name);
    }

    static Subject named(Subject.Kind kind, String field, String name) {
        Violations violations = new Violations();
        violations.require(
                Subject.isName(name),
                field,
                "\"" + name.replace("\0", "\\0") + "\" (expected: 1 to 100 letters, digits and '.', '_', '@', '-')");
        violations.throwIfAny();
        return new Subject(kind, name);
    }

    static Subject subject(String text, Violations violations) {
        return violations
                .collect("subject", () -> Subject.parse(text))
                .orElse(new Subject(Subject.Kind.USER, "nobody"));
    }

    static String folder(String folder, Violations violations) {
        violations.require(
                folder.isEmpty() || FOLDER.matcher(folder).matches(),
                "folder",
                "\"" + folder.replace("\0", "\\0") + "\" (expected: the first part of a path, or nothing)");
        return folder;
    }

    static Optional<UUID> tokenId(String id) {
        Violations violations = new Violations();
        Optional<UUID> parsed = id.isEmpty() ? Optional.empty() : violations.collect("id", () -> UUID.fromString(id));
        violations.throwIfAny();
        return parsed;
    }

    static WithIssued withIssued(RevokeTokenRequest request) {
        return switch (request.getIssued()) {
            case ISSUED_UNSPECIFIED, UNRECOGNIZED ->
                request.getId().isEmpty() ? WithIssued.NONE : WithIssued.OF_SAME_PRINCIPAL;
            case ISSUED_NONE -> WithIssued.NONE;
            case ISSUED_OWN -> WithIssued.OF_SAME_PRINCIPAL;
            case ISSUED_ALL -> WithIssued.ALL;
        };
    }

    /** What a user or a service account wants of a token. */
    static Tokens.Wish wish(CreateTokenRequest request) {
        Violations violations = new Violations();
        String name = tokenName(request.getName(), violations);
        Optional<java.time.Duration> validFor = validFor(request.hasValidFor(), request.getValidFor(), violations)
                .or(() -> Optional.of(VALID_DEFAULT));
        validFor.ifPresent(time -> violations.require(
                time.compareTo(VALID_MAX) <= 0,
                "valid_for",
                Durations.text(time) + " (expected: at most " + Durations.text(VALID_MAX) + ")"));
        Token.Restrictions restrictions = restrictions(request.getRestrictions(), violations);
        violations.require(
                restrictions.tags().isEmpty(), "restrictions.tags", "is set, but only tokens of workers have tags");
        violations.throwIfAny();
        return new Tokens.Wish(name, validFor, restrictions);
    }

    /** What an admin wants of a token for workers or gateways. */
    static Tokens.Wish wish(
            String name, boolean hasValidFor, Duration validFor, List<String> workspaces, List<String> tags) {
        Violations violations = new Violations();
        TokenRestrictions cut = TokenRestrictions.newBuilder()
                .addAllWorkspaces(workspaces)
                .addAllTags(tags)
                .build();
        Tokens.Wish wish = new Tokens.Wish(
                tokenName(name, violations),
                validFor(hasValidFor, validFor, violations),
                restrictions(cut, violations));
        violations.throwIfAny();
        return wish;
    }

    private static String tokenName(String name, Violations violations) {
        violations.require(
                !name.isBlank() && name.length() <= TOKEN_NAME_LENGTH_MAX && name.indexOf('\0') < 0,
                "name",
                "is missing, too long or contains a NUL character (expected: 1 to " + TOKEN_NAME_LENGTH_MAX
                        + " characters that say what the token is for)");
        return name;
    }

    private static Optional<java.time.Duration> validFor(boolean isGiven, Duration given, Violations violations) {
        if (!isGiven) {
            return Optional.empty();
        }
        Optional<java.time.Duration> time = violations.collect("valid_for", () -> TimeProtos.duration(given));
        time.ifPresent(value -> violations.require(
                value.compareTo(VALID_MIN) >= 0,
                "valid_for",
                Durations.text(value) + " (expected: at least " + Durations.text(VALID_MIN) + ")"));
        return time;
    }

    private static Token.Restrictions restrictions(TokenRestrictions given, Violations violations) {
        few("workspaces", given.getWorkspacesList(), violations);
        few("folders", given.getFoldersList(), violations);
        few("tags", given.getTagsList(), violations);
        given.getWorkspacesList()
                .forEach(name -> violations.collect("restrictions.workspaces", () -> Workspace.of(name)));
        given.getFoldersList()
                .forEach(folder -> violations.require(
                        FOLDER.matcher(folder).matches(),
                        "restrictions.folders",
                        "\"" + folder.replace("\0", "\\0") + "\" (expected: first parts of paths)"));
        given.getTagsList()
                .forEach(tag -> violations.require(
                        !tag.isBlank() && tag.length() <= TAG_LENGTH_MAX && tag.indexOf('\0') < 0,
                        "restrictions.tags",
                        "has an empty or too long tag (expected: at most " + TAG_LENGTH_MAX + " characters)"));
        violations.require(
                given.getSubmitsPerSecondMax() >= 0,
                "restrictions.submits_per_second_max",
                given.getSubmitsPerSecondMax() + " (expected: 0 for no limit, or a positive number)");
        return new Token.Restrictions(
                given.getWorkspacesList(),
                given.getFoldersList(),
                given.getTagsList(),
                Role.of(given.getRoleMax()),
                given.getSubmitsPerSecondMax());
    }

    private static void few(String field, List<String> entries, Violations violations) {
        violations.require(
                entries.size() <= RESTRICTIONS_MAX,
                "restrictions." + field,
                entries.size() + " entries (expected: at most " + RESTRICTIONS_MAX + ")");
    }
}
