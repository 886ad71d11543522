package dev.millrace.scheduler.identity.login;

import dev.millrace.scheduler.identity.login.core.ClaimConditions;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;

/** Which JWTs can be exchanged for tokens of a service account. */
record Trust(
        Workspace workspace,
        String name,
        String serviceAccount,
        String issuer,
        String audience,
        ClaimConditions claims,
        String createdBy,
        Instant createdAt) {}
