package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.attack.RestCaller.Standing;
import dev.millrace.e2e.support.Api;
import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.identity.v1.CreateTokenRequest;
import dev.millrace.proto.identity.v1.CreateTokenResponse;
import dev.millrace.proto.identity.v1.RevokeTokenRequest;
import dev.millrace.proto.identity.v1.TokenRestrictions;
import dev.millrace.proto.identity.v1.TokenServiceGrpc;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes one caller of each kind. */
final class RestCallers {
    static final RestCaller ANONYMOUS = new RestCaller("a caller without a token", new Standing.Unknown(), Map.of());

    private static final String ELSEWHERE = "elsewhere";

    private final GuardedInstallation installation;
    private final URI gateway;
    private final List<RestCaller> callers = new ArrayList<>();

    private RestCallers(GuardedInstallation installation) {
        this.installation = installation;
        this.gateway = installation.cluster().gatewayUrl();
    }

    /** All callers, those with the highest role last. */
    static List<RestCaller> all(GuardedInstallation installation) {
        installation.workspace(ELSEWHERE);
        RestCallers made = new RestCallers(installation);
        made.unknown();
        made.programs();
        made.people();
        return List.copyOf(made.callers);
    }

    private void unknown() {
        String owner = installation.ownerToken();
        add("a caller with another scheme", new Standing.Unknown(), Map.of("authorization", "Basic YWRhOnB3"));
        bearer("a caller with garbage", new Standing.Unknown(), "garbage");
        bearer("a caller with a cut token", new Standing.Unknown(), owner.substring(0, owner.length() - 1));
        bearer("a caller with a revoked token", new Standing.Unknown(), revoked());
        bearer("a caller with an expired token", new Standing.Unknown(), expired());
        add("a cookie with garbage", new Standing.Unknown(), cookie("millrace-session=garbage"));
    }

    private void programs() {
        bearer("a worker", new Standing.Program(), installation.worker("default"));
        bearer("a gateway", new Standing.Program(), installation.gateway());
    }

    private void people() {
        bearer(
                "the admin of another workspace",
                new Standing.Stranger(),
                installation.user(ELSEWHERE, "", Role.ROLE_ADMIN));
        String admin = installation.user("default", "", Role.ROLE_ADMIN);
        bearer(
                "an admin's token for another workspace",
                new Standing.Stranger(),
                issue(admin, TokenRestrictions.newBuilder().addWorkspaces(ELSEWHERE))
                        .getSecret());
        bearer(
                "an admin's token for another folder",
                new Standing.Neighbor(Role.ROLE_ADMIN),
                issue(admin, TokenRestrictions.newBuilder().addFolders(ELSEWHERE))
                        .getSecret());
        bearer(
                "the developer of another folder",
                new Standing.Neighbor(Role.ROLE_DEVELOPER),
                installation.user("default", ELSEWHERE, Role.ROLE_DEVELOPER));
        String viewer = installation.user("default", "", Role.ROLE_VIEWER);
        bearer("a viewer", new Standing.Member(Role.ROLE_VIEWER), viewer);
        add("a viewer in a browser", new Standing.Member(Role.ROLE_VIEWER), session(viewer));
        bearer(
                "the owner's token for a viewer",
                new Standing.Member(Role.ROLE_VIEWER),
                issue(installation.ownerToken(), TokenRestrictions.newBuilder().setRoleMax(Role.ROLE_VIEWER))
                        .getSecret());
        for (Role role : List.of(Role.ROLE_RUNNER, Role.ROLE_DEVELOPER)) {
            bearer(role.name(), new Standing.Member(role), installation.user("default", "", role));
        }
        bearer("an admin", new Standing.Member(Role.ROLE_ADMIN), admin);
        add("an admin in a browser", new Standing.Member(Role.ROLE_ADMIN), session(admin));
        bearer("the owner", new Standing.Member(Role.ROLE_OWNER), installation.ownerToken());
    }

    private CreateTokenResponse issue(String token, TokenRestrictions.Builder restrictions) {
        return TokenServiceGrpc.newBlockingStub(installation.with(token))
                .createToken(CreateTokenRequest.newBuilder()
                        .setName("rest")
                        .setRestrictions(restrictions)
                        .build());
    }

    private String revoked() {
        CreateTokenResponse token = issue(installation.ownerToken(), TokenRestrictions.newBuilder());
        var _ = TokenServiceGrpc.newBlockingStub(installation.owner())
                .revokeToken(RevokeTokenRequest.newBuilder()
                        .setId(token.getToken().getId())
                        .build());
        return token.getSecret();
    }

    /** A token that has expired. No scheduler has seen it before, so none remembers it. */
    private String expired() {
        CreateTokenResponse token = issue(installation.ownerToken(), TokenRestrictions.newBuilder());
        try (Connection database =
                        DriverManager.getConnection(installation.postgres().jdbcUrl());
                var update = database.prepareStatement(
                        "update credential set expires_at = now() - interval '1 second' where id = ?::uuid")) {
            update.setString(1, token.getToken().getId());
            assertThat(update.executeUpdate()).isEqualTo(1);
        } catch (SQLException unreachable) {
            throw new IllegalStateException(unreachable);
        }
        return token.getSecret();
    }

    /** The headers of a browser that has logged in. */
    private Map<String, String> session(String token) {
        String set = new Api(gateway)
                .post("/api/v1/session", Map.of("token", token))
                .headers()
                .firstValue("set-cookie")
                .orElseThrow();
        return cookie(set.substring(0, set.indexOf(';')));
    }

    private Map<String, String> cookie(String pair) {
        return Map.of("cookie", pair, "origin", "http://" + gateway.getAuthority());
    }

    private void bearer(String name, Standing standing, String token) {
        add(name, standing, Map.of("authorization", "Bearer " + token));
    }

    private void add(String name, Standing standing, Map<String, String> headers) {
        callers.add(new RestCaller(name, standing, headers));
    }
}
