package dev.millrace.scheduler.identity.login;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.AddressGroup;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.identity.Token;
import dev.millrace.scheduler.identity.Tokens;
import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.identity.login.core.DevicePoll;
import dev.millrace.scheduler.identity.login.core.UserCode;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Gives tokens to programs whose users approve it elsewhere (RFC 8628). Blocking and thread-safe. */
public final class Devices {
    static final Duration VALID_FOR = Duration.ofMinutes(10);
    private static final int AUTHORIZATIONS_MAX = 20;
    private static final int AUTHORIZATIONS_OF_SITE_MAX = 200;
    private static final int WRONG_CODES_MAX = 10;
    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration GUESS_PERIOD = Duration.ofMinutes(10);
    /** A code in use is drawn again. There are so many codes that this never fails so often. */
    private static final int DRAWS_MAX = 3;

    private static final int TOKEN_NAME_LENGTH_MAX = 100;

    private final DeviceStore store;
    private final Tokens tokens;
    private final RandomGenerator random;
    private final Attempts begun = new Attempts("device authorizations", AUTHORIZATIONS_MAX, PERIOD);
    private final Attempts begunAtSite = new Attempts("device authorizations", AUTHORIZATIONS_OF_SITE_MAX, PERIOD);
    private final Attempts wrongCodes = new Attempts("wrong codes", WRONG_CODES_MAX, GUESS_PERIOD);
    private final Attempts wrongSecrets = new Attempts("wrong device codes", WRONG_CODES_MAX, PERIOD);

    /** @param random unpredictable */
    public Devices(Database database, Tokens tokens, RandomGenerator random) {
        this.store = new DeviceStore(database);
        this.tokens = tokens;
        this.random = random;
    }

    /** The codes of an authorization that has begun. */
    record Begun(OneTimeSecret deviceCode, UserCode userCode) {}

    /** What a program is told. */
    record Answer(DevicePoll poll, Optional<Tokens.Issued> token) {}

    Begun begin(String clientName, String address) {
        begun.countOrRefuse(address);
        begunAtSite.countOrRefuse(AddressGroup.siteOf(address));
        for (int draw = 0; draw < DRAWS_MAX; draw++) {
            Begun codes = new Begun(OneTimeSecret.make(random), UserCode.make(random));
            if (store.insert(codes.deviceCode().hash(), hash(codes.userCode()), clientName, address, VALID_FOR)) {
                return codes;
            }
        }
        throw MillraceException.overloaded("No code is free for this login: try again.", RETRY_AFTER);
    }

    /** The program that shows this code. */
    Device find(String typed, Access by) {
        return known(typed, by, code -> store.find(hash(code)));
    }

    /** Lets the program have a token that grants no more than the one that the caller has shown. */
    Device approve(String typed, Access by) {
        UUID shown = userToken(by);
        return known(typed, by, code -> store.decide(hash(code), Optional.of(shown)));
    }

    Device deny(String typed, Access by) {
        return known(typed, by, code -> store.decide(hash(code), Optional.empty()));
    }

    /** @param address of the program */
    Answer poll(String deviceCode, String address) {
        wrongSecrets.requireFew(address);
        Optional<DeviceStore.Polled> polled = store.poll(OneTimeSecret.hash(deviceCode));
        if (polled.isEmpty()) {
            wrongSecrets.count(address);
            return new Answer(DevicePoll.EXPIRED, Optional.empty());
        }
        if (polled.get().poll() != DevicePoll.APPROVED) {
            return new Answer(polled.get().poll(), Optional.empty());
        }
        // The token of the user may have been revoked since.
        return polled.get()
                .approvedWith()
                .flatMap(tokens::findWorking)
                .map(approved ->
                        tokens.ofDevice(approved, tokenName(polled.get().clientName())))
                .map(issued -> new Answer(DevicePoll.APPROVED, Optional.of(issued)))
                .orElseGet(() -> new Answer(DevicePoll.DENIED, Optional.empty()));
    }

    private Device known(String typed, Access by, Function<UserCode, Optional<Device>> statement) {
        String guesser = by.name();
        wrongCodes.requireFew(guesser);
        return UserCode.parse(typed).flatMap(statement).orElseThrow(() -> {
            wrongCodes.count(guesser);
            return new MillraceException(
                    ErrorCode.DEVICE_NOT_FOUND,
                    "No program waits with this code: it is mistyped, older than " + VALID_FOR.toMinutes()
                            + " minutes, or decided. Compare it with what the program shows, or start the program's login"
                            + " again.");
        });
    }

    private UUID userToken(Access by) {
        Token shown = tokens.issuer(by);
        if (shown.kind() != TokenKind.USER && shown.kind() != TokenKind.SESSION) {
            throw new MillraceException(
                    ErrorCode.NO_PRINCIPAL, "Only users approve logins of programs: log in as a user.");
        }
        return shown.id();
    }

    private static byte[] hash(UserCode code) {
        return OneTimeSecret.hash(code.letters());
    }

    private static String tokenName(String clientName) {
        return clientName.length() <= TOKEN_NAME_LENGTH_MAX
                ? clientName
                : clientName.substring(0, TOKEN_NAME_LENGTH_MAX);
    }
}
