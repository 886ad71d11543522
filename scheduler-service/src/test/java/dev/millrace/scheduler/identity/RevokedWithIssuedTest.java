package dev.millrace.scheduler.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateSessionRequest;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateWorkerTokenRequest;
import dev.millrace.proto.identity.v1.ListTokensRequest;
import dev.millrace.proto.identity.v1.PrincipalServiceGrpc;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.Token;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import dev.millrace.proto.identity.v1.WhoAmIRequest;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the tokens that were issued by a token when it is revoked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RevokedWithIssuedTest {
    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    RevokedWithIssuedTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
    }

    @AfterAll
    void stop() {
        scheduler.close();
    }

    @Test
    void aStolenTokenTakesThoseAlongThatTheThiefHasIssued() {
        String stolen = calls.user("default", "", Role.ROLE_VIEWER);
        String child = issue(stolen);
        String grandchild = issue(child);
        String session = TokenServiceGrpc.newBlockingStub(calls.with(stolen))
                .createSession(CreateSessionRequest.getDefaultInstance())
                .getSecret();
        RevokeTokenRequest revoke =
                RevokeTokenRequest.newBuilder().setId(id(stolen)).build();

        int ended = tokens(calls.owner()).revokeToken(revoke).getIssuedRevoked();

        assertThat(ended).isEqualTo(3);
        assertThat(works(stolen)).isFalse();
        assertThat(works(child)).isFalse();
        assertThat(works(grandchild)).isFalse();
        assertThat(works(session)).isFalse();
    }

    @Test
    void aTokenSaysByWhichTokenItWasIssued() {
        String parent = calls.user("default", "", Role.ROLE_VIEWER);
        String child = issue(parent);

        assertThat(tokens(child)
                        .listTokens(ListTokensRequest.getDefaultInstance())
                        .getTokensList())
                .filteredOn(token -> token.getId().equals(id(child)))
                .singleElement()
                .extracting(Token::getIssuedBy)
                .isEqualTo(id(parent));
    }

    @Test
    void aTokenThatLogsOutLeavesThoseThatItHasIssued() {
        String old = calls.user("default", "", Role.ROLE_VIEWER);
        String next = issue(old);

        tokens(old).revokeToken(RevokeTokenRequest.getDefaultInstance());

        assertThat(works(old)).isFalse();
        assertThat(works(next)).isTrue();
    }

    @Test
    void tokensOfWorkersAndOthersEndOnlyOnRequest() {
        String admin = calls.user("default", "", Role.ROLE_ADMIN);
        String worker = tokens(admin)
                .createWorkerToken(
                        CreateWorkerTokenRequest.newBuilder().setName("pool").build())
                .getToken()
                .getId();
        RevokeTokenRequest.Builder revoke = RevokeTokenRequest.newBuilder().setId(id(admin));

        int ofSame = tokens(calls.owner()).revokeToken(revoke.build()).getIssuedRevoked();
        int ofAll = tokens(calls.owner())
                .revokeToken(
                        revoke.setIssued(RevokeTokenRequest.Issued.ISSUED_ALL).build())
                .getIssuedRevoked();

        assertThat(ofSame).isZero();
        assertThat(ofAll).isEqualTo(1);
        assertThat(tokens(calls.owner())
                        .listTokens(ListTokensRequest.newBuilder().setAll(true).build())
                        .getTokensList())
                .filteredOn(token -> token.getId().equals(worker))
                .singleElement()
                .matches(Token::hasRevokeTime);
    }

    private TokenServiceGrpc.TokenServiceBlockingStub tokens(String token) {
        return TokenServiceGrpc.newBlockingStub(calls.with(token));
    }

    private String issue(String by) {
        return tokens(by)
                .createToken(CreateTokenRequest.newBuilder().setName("child").build())
                .getSecret();
    }

    private String id(String token) {
        return PrincipalServiceGrpc.newBlockingStub(calls.with(token))
                .whoAmI(WhoAmIRequest.getDefaultInstance())
                .getTokenId();
    }

    private boolean works(String token) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, () -> id(token));
        return refusal == null || refusal.getStatus().getCode() != Status.Code.UNAUTHENTICATED;
    }
}
