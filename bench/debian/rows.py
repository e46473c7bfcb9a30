"""All rows."""

import header_libraries
import libraries
import planted
import programs

ROWS = [*programs.ROWS, *header_libraries.ROWS, *libraries.ROWS]
PLANTED = planted.PLANTED
