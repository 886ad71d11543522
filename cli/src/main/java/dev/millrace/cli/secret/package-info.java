/** Commands for secrets, resources and the keys that encrypt secrets. */
@NullMarked
package dev.millrace.cli.secret;

import org.jspecify.annotations.NullMarked;
