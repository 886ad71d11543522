package dev.millrace.scheduler.webhook.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How callers of a webhook prove who they are. */
public enum Scheme {
    /** Standard Webhooks 1.0. */
    STANDARD(true),
    /** {@code X-Hub-Signature-256} of GitHub. */
    GITHUB(false),
    /** {@code Stripe-Signature}. */
    STRIPE(true),
    /** {@code X-Slack-Signature}. */
    SLACK(true),
    /** User name and password, RFC 7617. */
    BASIC(false),
    /** The secret itself, as a bearer token or in a header of its own. */
    TOKEN(false);

    private final boolean signsTime;

    Scheme(boolean signsTime) {
        this.signsTime = signsTime;
    }

    /** Whether a signature covers the time of the call, so that old calls can be refused. */
    public boolean signsTime() {
        return signsTime;
    }

    /** The name in definitions and messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scheme with this {@link #text}. */
    public static Optional<Scheme> of(String text) {
        return Arrays.stream(values())
                .filter(scheme -> scheme.text().equals(text))
                .findFirst();
    }
}
