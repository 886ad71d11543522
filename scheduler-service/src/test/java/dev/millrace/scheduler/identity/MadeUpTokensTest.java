package dev.millrace.scheduler.identity;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.identity.core.TokenText;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of an address from which somebody makes up tokens. */
class MadeUpTokensTest {
    private static final int GUESSES_MAX = 10;

    @TempDir
    private Path folder;

    @Test
    void locksNobodyOutWhoseTokenIsKnown() {
        Path ownerToken = folder.resolve("owner");
        try (RunningScheduler scheduler = new RunningScheduler(IdentityCalls.required(ownerToken))) {
            IdentityCalls calls = new IdentityCalls(scheduler, ownerToken);
            String known = calls.user("default", "", Role.ROLE_VIEWER);
            String fresh = calls.user("default", "", Role.ROLE_VIEWER);
            whoAmI(calls, known);
            RandomGenerator random = new Random(7);
            for (int guess = 0; guess < GUESSES_MAX; guess++) {
                String madeUp = TokenText.make(TokenKind.USER, random).text();
                assertThat(refused(calls, madeUp)).isEqualTo(Status.Code.UNAUTHENTICATED);
            }

            // Each change of rights makes memory forget what tokens give.
            calls.grant("default", "", "group:nobody", Role.ROLE_VIEWER);

            assertThat(whoAmI(calls, known)).startsWith("user");
            assertThat(whoAmI(calls, fresh)).as("a token that was never used").startsWith("user");
            assertThat(refused(calls, TokenText.make(TokenKind.USER, random).text()))
                    .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        }
    }

    private static Status.Code refused(IdentityCalls calls, String token) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, () -> whoAmI(calls, token));
        assertThat(refusal).as("must be refused").isNotNull();
        return code(refusal);
    }

    private static String whoAmI(IdentityCalls calls, String token) {
        return PrincipalServiceGrpc.newBlockingStub(calls.with(token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getPrincipal()
                .getName();
    }
}
