/** Grammar and numerals. */
export const ENGLISH =
  'a about above across after afterwards again against ago all almost alone along already also although always am ' +
  'amid among amongst an and another any anybody anyone anything anywhere apart are around as aside at away back be ' +
  'because been before behind being below beneath beside besides between beyond both but by can cannot could despite ' +
  'did do does doing done down during each either else elsewhere enough etc even ever every everybody everyone ' +
  'everything everywhere except few fewer first for forth from further furthermore had half has have having he hence ' +
  'her here hereby herein hereof hereto hers herself him himself his how however i if in indeed inside instead into is ' +
  'it its itself just last later least less lest like many may maybe me meanwhile might mine more moreover most much ' +
  'must my myself near nearby neither never nevertheless next no nobody none nonetheless nor not nothing now nowhere of ' +
  'off often on once one ones only onto or other others otherwise ought our ours ourselves out outside over own per ' +
  'perhaps quite rather round same second several shall she should since so some somebody somehow someone something ' +
  'sometimes somewhat somewhere soon still such than that the their theirs them themselves then thence there thereby ' +
  'therefore therein thereof thereto these they third this those though through throughout thus till to together too ' +
  'toward towards twice under underneath unless unlike until up upon us very via was we well were what whatever when ' +
  'whenever where whereas whereby wherein wherever whether which whichever while who whoever whole whom whose why will ' +
  'with within without would yes yet you your yours yourself yourselves zero two three four five six seven eight nine ' +
  'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty hundred thousand million billion dozen fourth fifth';

export const CALENDAR =
  'january february march april june july august september october november december jan feb mar apr jun jul aug sep ' +
  'sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun';

/** Words so common that they tell texts apart in no collection, whatever these are about. */
export const EVERYDAY =
  'able accept accepted accord according account accounts achieve achieved act action actual add added addition ' +
  'additional additionally adequate affect affected age aim aimed allow allowed allowing allows alternative amount ' +
  'amounts answer answered appear appeared appearing appears applicable applied applies apply appropriate approximate ' +
  'area areas arise arm arms arrive arrived ask asked asking aspect aspects assess assessed assume assumed attempt ' +
  'attempted available average aware bad base based bases basic basis bear became become becomes becoming began begin ' +
  'beginning begins begun behave believe believed belong belongs best better big bit body bore bottom bring bringing ' +
  'brings broad brought build built call called calling calls came care carefully carried carry carrying case cases ' +
  'cause caused causes causing certain change changed changes changing chapter check choice choose chose chosen clear ' +
  'close closed closely come comes coming common commonly compare compared comparing comparison complete completed ' +
  'complex concern concerned concerning conclude concluded conclusion conclusions condition conditions conduct conducted ' +
  'consider considerable consideration considered considering consist consisted consisting consists contain contained ' +
  'containing contains context continue continued continues continuing contrast contribute copy correct correspond ' +
  'corresponding count couple course cover create created creates creating cried current currently cut daily data date ' +
  'day days deal decide decided decrease decreased decreases deep define defined defines definition degree degrees ' +
  'demonstrate demonstrated demonstrates depend dependent depending depends derive derived describe described describes ' +
  'describing description designed desire desired detail detailed details determine determined determines determining ' +
  'develop developed developing development develops difference differences different differ differs difficult direct ' +
  'directed direction discuss discussed discussion distinct door doubt drawn drew due early easily easy effect effective ' +
  'effectively effects effort efforts element elements employ employed enable enabled enables encounter end ended ends ' +
  'enhance enhanced ensure enter entered entire entirely equal equally especially essential essentially establish ' +
  'established evaluate evaluated evening event events evident evidence exact exactly examine examined example examples ' +
  'exception exclaimed exhibit exist existed existing exists expect expected experience explain explained express ' +
  'expressed expression extend extended extent eye eyes face faces fact factor factors facts fail failed fairly fall far ' +
  'feature features feel feeling fell felt field fig figure figures final finally find finding findings finds fine finish ' +
  'finished fit five follow followed following follows foot force form formed former forms forward found free frequent ' +
  'frequently friend full fully function functions gain gave general generally generate generated get gets getting give ' +
  'given gives giving glance go goes going gone good got gotten great greater greatest greatly group groups grow growing ' +
  'hand hands happen happened happens happy hard hardly head hear heard heart held help helped helps hence high higher ' +
  'highest highly hold holding hope hour hours house idea ideas identified identify illustrate impact important imply ' +
  'implies improve improved improving include included includes including increase increased increases increasing ' +
  'indicate indicated indicates indicating individual individuals influence information initial instance interest ' +
  'interested interesting introduce introduced introduction investigate investigated investigation involve involved ' +
  'involves involving issue issues item items join keep keeping kept key kind kinds knew know knowing known knows lack ' +
  'lady large largely larger largest late latter laid lay lead leading leads learn leave leaves leaving led left length ' +
  'lesser let level levels lie lies life light likely likewise limit limited line lines list listed little live lived ' +
  'long longer look looked looking looks lost lot lots low lower made main mainly maintain maintained major majority make ' +
  'makes making man manner mark marked material matter maximum mean meaning means measure measured measurement ' +
  'measurements meet men mention mentioned met method methods middle mind minimum minute minutes moment month months ' +
  'morning move moved moving multiple name named namely names nature necessary need needed needs new night normal ' +
  'normally notably note noted notes notice noticed number numbers numerous object observe observed obtain obtained ' +
  'obvious occur occurred occurring occurs offer offered old open opened opposite order ordinary original outcome ' +
  'outcomes overall page pages pair paper paragraph part partially particular particularly parts party pass passed past ' +
  'people percent perform performed period person persons phrase piece pieces place placed places play please pleasure plus ' +
  'point pointed points poor position possess possible possibly potential potentially practical practice prepared ' +
  'presence present presented presents pretty prevent previous previously primarily primary principal prior probable ' +
  'probably problem problems procedure proceed process produce produced produces producing product proper properly ' +
  'properties property propose proposed prove proved provide provided provides providing purpose purposes put question ' +
  'questions quick quickly raise raised ran range rapid rapidly rate rates rather reach reached read reading ready real ' +
  'really reason reasons receive received recent recently recognize reduce reduced reduces reducing reduction refer ' +
  'reference references referred refers regard regarded regarding regular relate related relation relationship relative ' +
  'relatively remain remained remaining remains repeat repeated replied reply report reported reports represent ' +
  'represented represents require required requirement requirements requires respect respectively respond response ' +
  'responses rest result resulted resulting results return returned reveal revealed right rise role room rose run running ' +
  'said sample samples sat satisfy saw say saying says scale section sections see seeing seek seem seemed seems seen ' +
  'select selected send sense sent separate separately serious serve served set sets setting seven shape share short ' +
  'shortly show showed showing shown shows side sides significance significant significantly similar similarly simple ' +
  'simply single sit site sites sitting situation size slight slightly slow slowly small smaller smile solution solutions ' +
  'solve sort sought sound source sources speak speaking special specific specifically specified specify stage stand ' +
  'standing start started starting starts state stated statement states stay step steps stood stop stopped strong strongly ' +
  'study studied studies studying subject subjects subsequent subsequently substantial succeed successful successfully ' +
  'sudden suddenly sufficient sufficiently suggest suggested suggesting suggests suitable summary support supported ' +
  'supports suppose supposed sure surprise table tables take taken takes taking talk talked talking technique techniques ' +
  'tell telling term terms test tested tests thank themselves thing things think thinking thought thoughts time times ' +
  'today told tone took top topic total touch treat treated true try trying turn turned turning turns type types typical ' +
  'typically unable understand understanding understood unit use used useful user uses using usual usually utilize ' +
  'utilized valid value values variety various vary varying version view voice wait waiting walk walked want wanted wants ' +
  'way ways week weeks went wide widely wish wished woman word words work worked working works world worse worst worth write writing ' +
  'written wrote wrong year years yesterday young ' +
  'novel local global recent lowest latest comparable latter former knowledge literature reader worker workers statement ' +
  'comment comments progress behalf manner entirety thereafter vicinity assist thoroughly profound';
