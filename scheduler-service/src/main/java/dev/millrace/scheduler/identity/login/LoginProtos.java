package dev.millrace.scheduler.identity.login;

import dev.millrace.proto.login.v1.BeginLoginRequest;
import dev.millrace.proto.login.v1.CreateTrustRequest;
import dev.millrace.proto.login.v1.ExchangeTokenRequest;
import dev.millrace.proto.login.v1.FinishLoginRequest;
import dev.millrace.proto.login.v1.PollDeviceResponse.State;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.identity.core.Subject;
import dev.millrace.scheduler.identity.login.core.ClaimConditions;
import dev.millrace.scheduler.identity.login.core.DevicePoll;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/** Reads requests about logins, and writes their answers. */
final class LoginProtos {
    private static final int ADDRESS_LENGTH_MAX = 2_000;
    private static final int CODE_LENGTH_MAX = 4_096;
    private static final int JWT_LENGTH_MAX = 16_384;
    private static final int NAME_LENGTH_MAX = 100;
    private static final int AUDIENCE_LENGTH_MAX = 500;

    private LoginProtos() {}

    /** The address to which the provider sends the browser back; the provider knows which addresses are ours. */
    static URI redirectUri(BeginLoginRequest request) {
        Violations violations = new Violations();
        text("return_to", request.getReturnTo(), 0, ADDRESS_LENGTH_MAX, violations);
        text("redirect_uri", request.getRedirectUri(), 1, ADDRESS_LENGTH_MAX, violations);
        Optional<URI> address = violations.collect("redirect_uri", () -> address(request.getRedirectUri()));
        violations.throwIfAny();
        return address.orElseThrow();
    }

    private static URI address(String text) {
        URI uri = URI.create(text);
        boolean isWeb = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
        if (!isWeb || uri.getHost() == null || uri.getFragment() != null) {
            throw new IllegalArgumentException("is no address of a web page (expected: https://HOST/login/callback)");
        }
        return uri;
    }

    static Logins.Return from(FinishLoginRequest request) {
        Violations violations = new Violations();
        text("transaction", request.getTransaction(), 1, CODE_LENGTH_MAX, violations);
        text("state", request.getState(), 1, CODE_LENGTH_MAX, violations);
        text("code", request.getCode(), 1, CODE_LENGTH_MAX, violations);
        text("issuer", request.getIssuer(), 0, CODE_LENGTH_MAX, violations);
        violations.throwIfAny();
        return new Logins.Return(request.getTransaction(), request.getState(), request.getCode(), request.getIssuer());
    }

    static String clientName(String given) {
        Violations violations = new Violations();
        text("client_name", given, 1, NAME_LENGTH_MAX, violations);
        violations.throwIfAny();
        return given;
    }

    static String deviceCode(String given) {
        Violations violations = new Violations();
        text("device_code", given, 1, CODE_LENGTH_MAX, violations);
        violations.throwIfAny();
        return given;
    }

    static TokenExchange.Request exchange(ExchangeTokenRequest request, String address) {
        Violations violations = new Violations();
        text("jwt", request.getJwt(), 1, JWT_LENGTH_MAX, violations);
        text("service_account", request.getServiceAccount(), 0, NAME_LENGTH_MAX, violations);
        Optional<Workspace> workspace = Optional.of(request.getWorkspace())
                .filter(name -> !name.isEmpty())
                .map(name -> RequestFields.workspace(name, violations));
        violations.throwIfAny();
        return new TokenExchange.Request(request.getJwt(), workspace, request.getServiceAccount(), address);
    }

    /** @param by who creates the trust */
    static Trust trust(CreateTrustRequest request, String by) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        name("name", request.getName(), violations);
        name("service_account", request.getServiceAccount(), violations);
        text("issuer", request.getIssuer(), 1, ADDRESS_LENGTH_MAX, violations);
        text("audience", request.getAudience(), 1, AUDIENCE_LENGTH_MAX, violations);
        Optional<ClaimConditions> claims =
                violations.collect("claims", () -> new ClaimConditions(request.getClaimsMap()));
        violations.throwIfAny();
        return new Trust(
                workspace,
                request.getName(),
                request.getServiceAccount(),
                request.getIssuer(),
                request.getAudience(),
                claims.orElseThrow(),
                by,
                Instant.EPOCH);
    }

    static dev.millrace.proto.login.v1.Trust message(Trust trust) {
        return dev.millrace.proto.login.v1.Trust.newBuilder()
                .setWorkspace(trust.workspace().name())
                .setName(trust.name())
                .setServiceAccount(trust.serviceAccount())
                .setIssuer(trust.issuer())
                .setAudience(trust.audience())
                .putAllClaims(trust.claims().sorted())
                .setCreatedBy(trust.createdBy())
                .setCreateTime(TimeProtos.timestamp(trust.createdAt()))
                .build();
    }

    static dev.millrace.proto.login.v1.Device message(Device device) {
        return dev.millrace.proto.login.v1.Device.newBuilder()
                .setClientName(device.clientName())
                .setAddress(device.address())
                .setCreateTime(TimeProtos.timestamp(device.createdAt()))
                .setExpireTime(TimeProtos.timestamp(device.expiresAt()))
                .build();
    }

    static State message(DevicePoll poll) {
        return switch (poll) {
            case PENDING -> State.STATE_PENDING;
            case SLOW_DOWN -> State.STATE_SLOW_DOWN;
            case DENIED -> State.STATE_DENIED;
            case EXPIRED -> State.STATE_EXPIRED;
            case APPROVED -> State.STATE_APPROVED;
        };
    }

    private static void name(String field, String given, Violations violations) {
        violations.require(
                Subject.isName(given),
                field,
                "\"" + given.replace("\0", "\\0") + "\" (expected: 1 to 100 letters, digits and '.', '_', '@', '-')");
    }

    private static void text(String field, String given, int lengthMin, int lengthMax, Violations violations) {
        violations.require(
                given.length() >= lengthMin && given.length() <= lengthMax && given.indexOf('\0') < 0,
                field,
                "has " + given.length() + " characters, or a NUL character (expected: " + lengthMin + " to " + lengthMax
                        + ")");
    }
}
