package dev.millrace.scheduler.webhook;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.webhook.core.Authentication;
import dev.millrace.scheduler.webhook.core.Deduplication;
import dev.millrace.scheduler.webhook.core.HookContent;
import dev.millrace.scheduler.webhook.core.InputPart;
import dev.millrace.scheduler.webhook.core.Scheme;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the author of a webhook says.
 *
 * @param secrets paths of the secrets, any of which a caller may know
 * @param parts parts of a call that become members of the input; none means the members of the body
 * @param bodyBytesMax largest body
 * @param patience how long a caller waits for the result; absent if callers are answered at once
 * @param successStatus HTTP status for a run that has succeeded in this time
 * @param failureStatus HTTP status for a run that has failed in this time
 */
record WebhookSettings(
        Authentication authentication,
        List<String> secrets,
        Deduplication deduplication,
        List<InputPart> parts,
        int bodyBytesMax,
        Optional<Duration> patience,
        int successStatus,
        int failureStatus) {
    /** Maximum number of secrets, so that one can be replaced while the other is in use. */
    static final int SECRETS_MAX = 2;

    static final int BODY_BYTES_DEFAULT = 1 << 20;
    static final int BODY_BYTES_MAX = 8 << 20;
    static final Duration PATIENCE_MAX = Duration.ofMinutes(1);
    static final int SUCCESS_STATUS_DEFAULT = 200;
    static final int FAILURE_STATUS_DEFAULT = 500;

    /** Stands for the settings of a webhook that does not exist, so that calls of it cost the same. */
    static final WebhookSettings NONE = new WebhookSettings(
            new Authentication(Scheme.STANDARD, "", "", Authentication.WINDOW_DEFAULT),
            List.of(),
            new Deduplication.Off(),
            List.of(),
            BODY_BYTES_MAX,
            Optional.empty(),
            SUCCESS_STATUS_DEFAULT,
            FAILURE_STATUS_DEFAULT);

    WebhookSettings {
        requireNonNull(authentication, "authentication");
        secrets = List.copyOf(secrets);
        requireNonNull(deduplication, "deduplication");
        parts = List.copyOf(parts);
        requireNonNull(patience, "patience");
    }

    /** What calls must let us read. Whoever asks for the raw body alone takes calls of any encoding. */
    Set<HookContent.Need> needs() {
        if (parts.isEmpty()) {
            return EnumSet.allOf(HookContent.Need.class);
        }
        Set<HookContent.Need> needs = EnumSet.noneOf(HookContent.Need.class);
        if (parts.contains(InputPart.BODY) || deduplication instanceof Deduplication.ByBody) {
            needs.add(HookContent.Need.BODY);
        }
        if (parts.contains(InputPart.EVENT)) {
            needs.add(HookContent.Need.EVENT);
        }
        return needs;
    }
}
