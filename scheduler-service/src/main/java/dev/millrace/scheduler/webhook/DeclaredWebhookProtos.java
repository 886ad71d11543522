package dev.millrace.scheduler.webhook;

import dev.millrace.proto.trigger.v1.WebhookSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.trigger.DeclaredFields;
import dev.millrace.scheduler.trigger.DeclaredKind.Declared;
import dev.millrace.scheduler.trigger.DeclaredSpecProtos;
import dev.millrace.scheduler.trigger.TriggerSpec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the webhooks that the file of a flow declares. The file names secrets, and never holds one. */
public final class DeclaredWebhookProtos {
    private static final List<String> KEYS = List.of(
            "scheme",
            "secrets",
            "header",
            "user",
            "window",
            "deduplicate",
            "parts",
            "body_bytes_max",
            "wait",
            "success_status",
            "failure_status",
            "input",
            "description");
    private static final String READ_AS = "webhook";

    private DeclaredWebhookProtos() {}

    public static Declared read(String flow, DeclaredFields fields) {
        fields.allow(KEYS);
        WebhookSource.Builder source = WebhookSource.newBuilder().addAllSecrets(fields.texts("secrets"));
        fields.text("scheme").flatMap(DeclaredWebhookProtos::scheme).ifPresent(source::setScheme);
        fields.text("header").ifPresent(source::setHeader);
        fields.text("user").ifPresent(source::setUser);
        fields.duration("window").map(TimeProtos::duration).ifPresent(source::setWindow);
        fields.text("deduplicate").ifPresent(source::setDeduplicate);
        fields.texts("parts").forEach(name -> source.addParts(part(name).orElse(WebhookSource.Part.PART_UNSPECIFIED)));
        fields.number("body_bytes_max").ifPresent(source::setBodyBytesMax);
        fields.duration("wait").map(TimeProtos::duration).ifPresent(source::setWait);
        fields.number("success_status").ifPresent(source::setSuccessStatus);
        fields.number("failure_status").ifPresent(source::setFailureStatus);
        Violations violations = new Violations();
        var _ = WebhookProtos.settings(source.build(), violations);
        fields.refuse(violations, READ_AS);
        TriggerSpec spec = DeclaredSpecProtos.read(flow, fields, source.build());
        return new Declared(spec);
    }

    private static Optional<WebhookSource.Scheme> scheme(String name) {
        try {
            return Optional.of(WebhookSource.Scheme.valueOf("SCHEME_" + name.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<WebhookSource.Part> part(String name) {
        try {
            return Optional.of(WebhookSource.Part.valueOf("PART_" + name.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }
}
