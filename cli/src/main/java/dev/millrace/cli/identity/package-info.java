/** Commands for users, service accounts, roles and tokens. */
@NullMarked
package dev.millrace.cli.identity;

import org.jspecify.annotations.NullMarked;
