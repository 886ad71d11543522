package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.javascript.Token.Kind;
import dev.millrace.scheduler.expression.javascript.operators.Operand;
import dev.millrace.scheduler.expression.javascript.operators.Operation;
import dev.millrace.scheduler.expression.javascript.operators.Operator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser of scripts in which operators join constants and plain paths. The engine has already checked their syntax. */
final class OperationReader {
    /** Maximum tokens of such a script, each of which may take a level of the stack. */
    private static final int WORDS_MAX = 100;

    private static final Pattern NUMBER = Pattern.compile("(0|[1-9][0-9]{0,14})(\\.[0-9]{1,12})?");
    private static final Token END = new Token(Kind.PUNCTUATOR, "", 0, 0, false, 0);

    private final String source;
    private final List<Token> tokens;
    private final Names names;
    private int position;

    private OperationReader(String source, List<Token> tokens, Names names) {
        this.source = source;
        this.tokens = tokens;
        this.names = names;
    }

    /** Returns the operation; empty if the script is more than that. */
    static Optional<Operation> read(String source, List<Token> tokens, Names names) {
        if (tokens.size() > WORDS_MAX) {
            return Optional.empty();
        }
        OperationReader reader = new OperationReader(source, tokens, names);
        Operation operation = reader.choice();
        return reader.position == tokens.size() ? Optional.ofNullable(operation) : Optional.empty();
    }

    private Token next() {
        return position < tokens.size() ? tokens.get(position) : END;
    }

    private boolean skip(String word) {
        boolean found = next().is(word);
        position += found ? 1 : 0;
        return found;
    }

    private @Nullable Operation choice() {
        Operation condition = binary(Operator.WEAKEST);
        if (condition == null || !skip("?")) {
            return condition;
        }
        Operation yes = choice();
        if (yes == null || !skip(":")) {
            return null;
        }
        Operation no = choice();
        return no == null ? null : new Operation.Choice(condition, yes, no);
    }

    /**
     * Parses operands joined by operators of at least this strength. Operators of equal strength associate to the left.
     */
    private @Nullable Operation binary(int strength) {
        Operation left = unary();
        while (left != null) {
            Optional<Operator> operator = operator(strength);
            if (operator.isEmpty()) {
                return left;
            }
            position++;
            Operation right = binary(operator.get().strength() + 1);
            left = right == null ? null : new Operation.Binary(left, operator.get(), right);
        }
        return null;
    }

    private Optional<Operator> operator(int strength) {
        return next().kind() == Kind.PUNCTUATOR
                ? Operator.of(next().text()).filter(found -> found.strength() >= strength)
                : Optional.empty();
    }

    private @Nullable Operation unary() {
        if (skip("!")) {
            Operation of = unary();
            return of == null ? null : new Operation.Not(of);
        }
        if (skip("-")) {
            Operation of = unary();
            return of == null ? null : new Operation.Negative(of);
        }
        return primary();
    }

    private @Nullable Operation primary() {
        Token token = next();
        if (skip("(")) {
            Operation inner = choice();
            return inner != null && skip(")") ? inner : null;
        }
        return switch (token.kind()) {
            case NAME -> name(token);
            case NUMBER ->
                NUMBER.matcher(token.text()).matches()
                        ? constant(new Operand.Numeric(Double.parseDouble(token.text())))
                        : null;
            case STRING ->
                token.text().indexOf('\\') < 0
                        ? constant(new Operand.Text(
                                token.text().substring(1, token.text().length() - 1)))
                        : null;
            case TEMPLATE, REGEX, PUNCTUATOR -> null;
        };
    }

    private Operation constant(Operand value) {
        position++;
        return new Operation.Constant(value);
    }

    private @Nullable Operation name(Token name) {
        return switch (name.text()) {
            case "true" -> constant(new Operand.Truth(true));
            case "false" -> constant(new Operand.Truth(false));
            case "null" -> constant(Operand.Nothing.NULL);
            case "undefined" -> constant(Operand.Nothing.UNDEFINED);
            default -> path(name);
        };
    }

    private @Nullable Operation path(Token name) {
        position++;
        while (skipSegment()) {
            // Skips to the end of the path.
        }
        String text = source.substring(name.start(), tokens.get(position - 1).end());
        return ChainReader.read(text, names).map(OperationReader::read).orElse(null);
    }

    private boolean skipSegment() {
        int start = position;
        boolean optional = skip("?.");
        if (skip("[")) {
            boolean literal = next().kind() == Kind.NUMBER || next().kind() == Kind.STRING;
            position++;
            if (literal && skip("]")) {
                return true;
            }
        } else if ((optional || skip(".")) && next().isName()) {
            position++;
            return true;
        }
        position = start;
        return false;
    }

    private static @Nullable Operation read(Expression expression) {
        return switch (expression) {
            case Chain chain
            when !(chain.base() instanceof Chain) && chain.base().isPlain() ->
                new Operation.Read(chain.base(), chain.segments());
            case Expression other
            when !(other instanceof Chain) && other.isPlain() -> new Operation.Read(other, List.of());
            default -> null;
        };
    }
}
