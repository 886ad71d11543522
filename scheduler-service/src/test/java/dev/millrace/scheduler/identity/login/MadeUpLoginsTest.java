package dev.millrace.scheduler.identity.login;

import static dev.millrace.scheduler.testing.RunningScheduler.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.login.v1.FinishLoginRequest;
import dev.millrace.proto.login.v1.LoginServiceGrpc;
import dev.millrace.scheduler.config.OidcConfig;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What strangers cost who end logins that nobody has begun. */
class MadeUpLoginsTest {
    private static final int MADE_UP_MAX = 100;

    /** Nobody listens there: whoever ends no login that was begun does not get so far. */
    private static final OidcConfig OIDC = new OidcConfig(
            Optional.of(new OidcConfig.Provider(
                    "http://127.0.0.1:1", "millrace", Optional.empty(), List.of("openid"), "name", "groups", Set.of())),
            List.of());

    @RegisterExtension
    private static final RunningScheduler SCHEDULER =
            new RunningScheduler(config -> config.withAccess(config.access().withOidc(OIDC)));

    @Test
    void costFewLooksIntoTheDatabase() {
        for (int made = 0; made < MADE_UP_MAX; made++) {
            assertThat(code(refusal("made up " + made))).isEqualTo(Status.Code.UNAUTHENTICATED);
        }

        assertThat(code(refusal("one more"))).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    private static StatusRuntimeException refusal(String secret) {
        return catchThrowableOfType(
                StatusRuntimeException.class,
                () -> LoginServiceGrpc.newBlockingStub(SCHEDULER.channel())
                        .finishLogin(FinishLoginRequest.newBuilder()
                                .setTransaction(secret)
                                .setState(secret)
                                .setCode("code")
                                .build()));
    }
}
