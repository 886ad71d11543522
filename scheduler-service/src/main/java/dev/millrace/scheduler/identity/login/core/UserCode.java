package dev.millrace.scheduler.identity.login.core;

import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Code that a person reads on one device and enters on another. Its letters are consonants, so that no code is a word
 * and none is taken for a digit. A code has 34 random bits, which suffices because it is short-lived and wrong codes are
 * counted.
 *
 * @param letters 8 letters
 */
public record UserCode(String letters) {
    private static final String ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
    private static final int LENGTH = 8;
    private static final int GROUP_LENGTH = 4;
    private static final int TYPED_LENGTH_MAX = 100;
    private static final Pattern VALID = Pattern.compile("[" + ALPHABET + "]{" + LENGTH + "}");
    private static final Pattern SEPARATORS = Pattern.compile("[\\s\\p{Pd}._]+");

    public UserCode {
        if (!VALID.matcher(letters).matches()) {
            throw new IllegalArgumentException("the code is not one of " + LENGTH + " letters of " + ALPHABET);
        }
    }

    /** A new code. */
    public static UserCode make(RandomGenerator random) {
        StringBuilder letters = new StringBuilder(LENGTH);
        for (int index = 0; index < LENGTH; index++) {
            letters.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return new UserCode(letters.toString());
    }

    /** The code that somebody has typed, in any case and with any separators; empty if it is none. */
    public static Optional<UserCode> parse(String typed) {
        if (typed.length() > TYPED_LENGTH_MAX) {
            return Optional.empty();
        }
        String letters = SEPARATORS.matcher(typed).replaceAll("").toUpperCase(Locale.ROOT);
        return VALID.matcher(letters).matches() ? Optional.of(new UserCode(letters)) : Optional.empty();
    }

    /** The code as people read it, for example {@code BCDF-GHJK}. */
    public String shown() {
        return letters.substring(0, GROUP_LENGTH) + "-" + letters.substring(GROUP_LENGTH);
    }

    /** Hides the code, so that no log shows it. */
    @Override
    public String toString() {
        return "UserCode[hidden]";
    }
}
